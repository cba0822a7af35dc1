"""Runs what a stranger wrote, in a process with limits: a candidate, to be compiled, or a reference, to give its
values. The judge reads the answer and believes nothing else of it.

The request is JSON on standard input; the answers are lines on a descriptor of its own, so that what the
stranger prints is not taken for ours. The first is written when all of ours is there and nothing of the
stranger's has run: without it the failure is ours. Of a candidate, the second says what its text states, and
nothing of it has run then, either. _judge_process.py is the other side.
"""
from __future__ import annotations

import ast
import base64
import importlib
import importlib.util
import json
import os
import sys
import traceback
from types import FunctionType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from tilerace import _confine, _inert


class Refused(Exception):
    """The candidate's fault, in a sentence."""

    def __init__(self, what: str, line: Optional[int] = None) -> None:
        super().__init__(what)
        self.line = line


def line_of(error: BaseException, file: str) -> Optional[int]:
    """The innermost line of that file that the error came through."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == file]
    return lines[-1] if lines else None


def load(file: str, name: str, part: Optional[ast.Module] = None) -> Any:
    """The module in the file, or of a part of it. SystemExit and the like are its fault, too."""
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise Refused("%s is not a Python module" % file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        if part is not None:
            exec(compile(part, file, "exec"), vars(module))
        else:
            spec.loader.exec_module(module)
    except BaseException as error:
        raise Refused("%s: %s" % (type(error).__name__, error), line_of(error, file)) from error
    return module


def argument(spec: Mapping[str, Any], folder: str) -> Any:
    """A value of a request: an array, or a number."""
    if "value" in spec:
        return spec["value"]
    np: Any = importlib.import_module("numpy")
    if "file" in spec:
        flat = np.fromfile(os.path.join(folder, spec["file"]), dtype=spec["dtype"])
    else:
        flat = np.zeros(spec["elements"], dtype=spec["dtype"])
    strides = [stride * flat.itemsize for stride in spec["strides"]]
    return np.lib.stride_tricks.as_strided(flat, spec["shape"], strides)


# ---- Candidates ----


def _parts(module: Any) -> Iterator[Tuple[str, object]]:
    """Yields what determines a module's behaviour: its values, and the code of its functions and methods."""
    for name, value in list(vars(module).items()):
        yield name, value
        if isinstance(value, type):
            for key, part in list(vars(value).items()):
                yield "%s.%s" % (name, key), part.__code__ if isinstance(part, FunctionType) else part
        elif isinstance(value, FunctionType):
            yield name + "()", value.__code__


def _snapshot() -> Dict[str, object]:
    """Takes a snapshot of the front end's modules and of ours."""
    return {"%s.%s" % (of, name): value for of, module in sorted(sys.modules.items())
            if of.split(".")[0] in ("cuda", "tilerace") and hasattr(module, "__dict__")
            for name, value in _parts(module)}


def _import_numpy() -> None:
    importlib.import_module("numpy")


def _import_compiler() -> None:
    """Imports all modules that the compiler imports up to its first compilation, as far as this version has them."""
    for module in ("numpy", "cuda.tile", "tilerace._cutile"):
        importlib.import_module(module)
    for module in ("cuda.tile.compilation", "cuda.tile._compile", "cuda.tile._annotated_function",
                   "cuda.tile._ir2bytecode"):
        try:
            importlib.import_module(module)
        except ImportError:
            pass


def _refuse_changes(before: Dict[str, object]) -> None:
    """A candidate that changes who compiles it could have anything judged in its place."""
    after = _snapshot()
    for name, value in before.items():
        if after.get(name, before) is not value:
            raise Refused("changes %s: a candidate may not change what compiles or judges it" % name)


def _kernel_of(module: Any, name: Optional[str]) -> Any:
    from tilerace import _cutile
    kernels = {key: value for key, value in vars(module).items() if _cutile.is_kernel(value)}
    if name is None and len(set(map(id, kernels.values()))) == 1:
        return next(iter(kernels.values()))
    if name not in kernels:
        raise Refused("there is no kernel '%s'" % name if name else
                      "there are %d kernels: the context has to name one" % len(kernels))
    return kernels[name]


def _known_of(found: Tuple[str, Any]) -> Dict[str, Any]:
    """Returns what the front end fixes of an argument."""
    kind, of = found
    if kind != "Array":
        return {"kind": kind}
    keys = "shape_constant", "stride_constant", "shape_divisible_by", "stride_divisible_by"
    return {"kind": kind, **{key: list(of[key]) for key in keys}}


def _compiled(candidate: Any, request: Dict[str, Any], folder: str) -> Dict[str, Any]:
    """Compiles the candidate. Returns its modules, one for each signature, and the module that each launch belongs
    to."""
    from tilerace import _cutile
    from tilerace._results import InputError
    kernel = _kernel_of(candidate, request["kernel"])
    modules: List[Dict[str, Any]] = []
    keys: List[str] = []
    of: List[int] = []
    for sample in request["samples"]:
        try:
            signed = _cutile.Signed(kernel, [argument(spec, folder) for spec in sample])
            key = repr(signed.found)
            if key not in keys:
                modules.append({"bytes": base64.b64encode(signed.compile()).decode(),
                                "symbol": signed.signature.symbol,
                                "known": [_known_of(found) for found in signed.found]})
                keys.append(key)
        except (InputError, TypeError, ValueError) as error:
            line = line_of(error.__cause__ or error, request["file"]) or getattr(error, "line", None)
            raise Refused(str(error), line) from error
        of.append(keys.index(key))
    return {"modules": modules, "of": of}


def compile_stated(request: Dict[str, Any], folder: str) -> Dict[str, Any]:
    """Returns what the candidate's text states, before any of it runs; or {"doubt": why that is not known}."""
    try:
        with open(request["file"], encoding="utf-8") as source:
            part = _inert.part_of(source.read(), request["file"], request["kernel"])
        return _compiled(load(request["file"], "candidate", part), request, folder)
    except Exception as error:  # whatever it is, the whole of the candidate may still be compiled
        return {"doubt": str(error)}


def compile_candidate(request: Dict[str, Any], folder: str) -> Dict[str, Any]:
    """Returns the answer once all of the candidate has run."""
    before = _snapshot()
    candidate = load(request["file"], "candidate")
    _refuse_changes(before)
    return _compiled(candidate, request, folder)


# ---- References ----


def run_function(function: Callable[..., Any], samples: Sequence[Sequence[Mapping[str, Any]]],
                 folder: str) -> Dict[str, bytes]:
    """Returns the outputs that the function gives: by "LAUNCH.ARGUMENT", the bytes of each."""
    np: Any = importlib.import_module("numpy")
    expected: Dict[str, bytes] = {}
    for number, sample in enumerate(samples):
        values = [argument(spec, folder) for spec in sample]
        outputs = [i for i, spec in enumerate(sample) if spec.get("output")]
        try:
            given = function(*values)
        except BaseException as error:
            raise Refused("throws %s: %s" % (type(error).__name__, error)) from error
        results = [values[i] for i in outputs] if given is None else (
            list(given) if isinstance(given, (tuple, list)) else [given])
        if len(results) != len(outputs):
            raise Refused("gives %d outputs, and %d arguments are outputs"
                          % (len(results), len(outputs)))
        for i, result in zip(outputs, results):
            array = np.asarray(result)
            if array.shape != values[i].shape:
                raise Refused("gives an output of shape %s, '%s' has %s"
                              % (array.shape, sample[i]["name"], values[i].shape))
            # The result is copied as it lies in memory; bytes between its rows keep their values.
            whole = np.zeros(sample[i]["elements"], dtype=sample[i]["dtype"])
            strides = [stride * whole.itemsize for stride in sample[i]["strides"]]
            np.lib.stride_tricks.as_strided(whole, array.shape, strides)[...] = array
            expected["%d.%d" % (number, i)] = whole.tobytes()
    return expected


def run_reference(request: Dict[str, Any], folder: str) -> Dict[str, Any]:
    function = getattr(load(request["file"], "reference"), request["function"], None)
    if not callable(function):
        raise Refused("has no function '%s'" % request["function"])
    expected = run_function(function, request["samples"], folder)
    return {"expected": {key: base64.b64encode(of).decode() for key, of in expected.items()}}


def _line(answer: Dict[str, Any]) -> bytes:
    return json.dumps(answer).encode() + b"\n"


def _write(descriptor: int, text: bytes) -> None:
    left = memoryview(text)
    while left:
        left = left[os.write(descriptor, left):]


def main() -> None:
    folder, descriptor, parent = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    request = json.load(sys.stdin)
    if os.getppid() != parent:
        return  # it has ended before it could be told apart
    _confine.enter(_confine.Limits(**request["limits"]), os.path.join(folder, "scratch"),
                   [folder, request["file"], sys.prefix, sys.base_prefix, __file__], descriptor)
    roles: Dict[str, Tuple[Callable[[], None], Callable[[Dict[str, Any], str], Dict[str, Any]]]] = {
        "compile": (_import_compiler, compile_candidate), "reference": (_import_numpy, run_reference)}
    prepare, work = roles[request["role"]]
    try:
        prepare()
    except BaseException as error:
        _write(descriptor, ("%s: %s" % (type(error).__name__, error)).encode())
        os._exit(1)
    _write(descriptor, _confine.BEGINS)
    if request["role"] == "compile":
        _write(descriptor, _line(compile_stated(request, folder)))
    try:
        answer = work(request, folder)
    except Refused as refused:
        answer = {"refused": str(refused), "line": refused.line}
    except MemoryError:
        answer = {"refused": "no memory is left", "limit": True}
    except Exception as error:  # what the front end says of a candidate is a refusal
        answer = {"ours": "%s: %s" % (type(error).__name__, error)}
    _write(descriptor, _line(answer))
    os._exit(0)  # nothing that the stranger has left behind is waited for

"""Triton with its Tile IR backend (ENABLE_TILE=1).

The assembler that `tilerace exec` puts in its place tells of each module that is compiled. This hook
adds what does not pass there: kernels that Triton's cache of compiled ones holds, the names of
parameters, and kernels that Triton failed to make Tile IR of and may compile to PTX instead.
"""
import json
import os
import sys

from tilerace_capture import names, recorder
from tilerace_capture.hooks import named_as, replace

FRONT_END = "triton"
ASSEMBLER = "TILERACE_TILEIRAS"


def _bundled(package):
    """The assembler that a wheel with the backend brings along."""
    return os.path.join(package, "backends", "nvidia", "tileir_cuda", "bin", "tileiras")


def _patch_conf(_):
    """Names the assembler that the backend brings along where none is named: only the backend knows where it is."""
    found = _bundled(os.path.dirname(os.path.abspath(sys.modules["triton"].__file__)))
    if not os.environ.get(ASSEMBLER) and os.access(found, os.X_OK) and os.path.isfile(found):
        os.environ[ASSEMBLER] = found


def _backend(target):
    backend = getattr(target, "backend", None)
    tile = os.environ.get("ENABLE_TILE", "0") == "1"
    return "tileir" if tile and backend in ("cuda", None) else backend


def _parameter(name, kind):
    """A descriptor of a tensor takes the place of several: a number that is not read, then the
    tensor's pointer, extents and strides."""
    if not kind.startswith("tensordesc"):
        return [{"name": name}]
    rank = kind.count(",", kind.index("[")) + 1
    parts = [{"name": name + ".descriptor"},
             {"name": name, "part": "pointer", "shape": [None] * rank, "strides": [None] * rank}]
    for part in "extent", "stride":
        parts += [{"name": name, "part": part, "axis": axis} for axis in range(rank)]
    return parts


def _describe(src):
    """The JSON of wire.h's `names`, or "" where the source is none of Python's."""
    function = getattr(src, "fn", None)
    if function is None or not hasattr(function, "arg_names"):
        return ""
    python = getattr(function, "fn", function)
    parameters = []
    for name, kind in src.signature.items():
        if kind != "constexpr":
            parameters += _parameter(str(name), kind)
    code = python.__code__
    file = names.absolute(code.co_filename).encode("utf-8", "replace").decode()
    return json.dumps({"function": python.__name__, "file": file, "line": code.co_firstlineno,
                       "parameters": parameters})


def _tell(src, kernel):
    """The cache has the bytecode beside the machine code."""
    group = {os.path.basename(str(path)): str(path) for path in kernel.metadata_group.values()}
    code = next((path for name, path in group.items() if name.endswith(".cubin")), None)
    if code is None:
        return
    bytecode = os.path.join(os.path.dirname(code), kernel.metadata.name + ".bytecode")
    if not os.path.exists(bytecode):
        return  # of a version that keeps none: the assembler has told of it, unless it was cached
    with open(bytecode, "rb") as module, open(code, "rb") as machine:
        recorder.module(module.read(), machine.read(), FRONT_END, _describe(src))


def _patch_compiler(module):
    original = module.compile
    if hasattr(original, "is_of_tilerace"):
        return

    def compile(src, target=None, *arguments, **keywords):
        try:
            kernel = original(src, target, *arguments, **keywords)
        except Exception:
            if _backend(target) == "tileir":
                recorder.missed(str(getattr(src, "name", "")))
            raise
        try:
            if getattr(kernel.metadata.target, "backend", None) == "tileir":
                _tell(src, kernel)
        except Exception as error:
            recorder.lost("a kernel of Triton", error)
        return kernel

    replace(module, "compile", named_as(compile, original))


_PATCHES = {"triton.backends.tileir.conf": _patch_conf,
            "triton.compiler.compiler": _patch_compiler}


def patch(module):
    _PATCHES[module.__name__](module)

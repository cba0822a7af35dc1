"""A file, a module or a kernel to a result."""
from __future__ import annotations

import json
import os
from ctypes import byref, c_char_p
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from tilerace import _cutile, _library
from tilerace._launch import Launch, Signature, kernel_of, state
from tilerace._library import library
from tilerace._results import InputError, Result

Path = Union[str, "os.PathLike[str]"]
Stated = Union[None, Path, Mapping[str, Any], Launch, Signature]


def _plain(word: str, what: str) -> bytes:
    """Encodes a word for a function that ends a text at its first NUL; refuses a word that has one."""
    if "\0" in word:
        raise InputError("%s has a NUL character in it: %r" % (what, word))
    return os.fsencode(word)


def path_of(path: Any, what: str) -> bytes:
    try:
        word = os.fspath(path)
    except TypeError:
        raise TypeError("%s is a str or a path, not %s" % (what, type(path).__name__)) from None
    return _plain(os.fsdecode(word), what)


def _count(value: Any, bits: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("%s is an int, not %s" % (what, type(value).__name__))
    if not 0 < value < 1 << bits:
        raise InputError("%s is at least 1 and has at most %d bits, unlike %d"
                         % (what, bits, value))
    return value


def _contract(launch: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(launch, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError("the launch contract is not JSON: %s" % error) from None


def _options(given: Mapping[str, Any]) -> _library.Options:
    options = _library.Options()
    options.size = _library.Options.isolate_time_ms.offset + _library.Options.isolate_time_ms.size
    if given["solver"] is not None:
        options.solver = path_of(given["solver"], "the solver")
    if given["build_folder"] is not None:
        options.build_folder = path_of(given["build_folder"], "the build folder")
    if given["steps"] is not None:
        options.steps = _count(given["steps"], 64, "the limit of steps")
    if given["budget_ms"] is not None:
        options.budget_ms = _count(given["budget_ms"], 32, "the budget in milliseconds")
    options.strict = bool(given["strict"])
    options.notes = bool(given["notes"])
    options.isolate = bool(given["isolate"])
    if given["memory_mb"] is not None:
        options.isolate_memory_mb = _count(given["memory_mb"], 32, "the memory in megabytes")
    if given["time_ms"] is not None:
        options.isolate_time_ms = _count(given["time_ms"], 32, "the time in milliseconds")
    if isinstance(given["clang_args"], (str, bytes)):
        raise TypeError("clang_args is a sequence of str, not one of them")
    words = [path_of(word, "an argument for Clang") for word in given["clang_args"]]
    options.n_clang_args = len(words)
    options.clang_args = (c_char_p * (len(words) + 1))(*words)
    return options


class Input(NamedTuple):
    """An input of a check, with all that the check depends on."""

    path: Optional[bytes]
    module: bytes  # where there is no path
    name: bytes  # of the module
    names: Optional[str]  # of its parameters
    signature: Any
    given: Mapping[str, Any]  # the options


DEFAULTS: Mapping[str, Any] = {"strict": False, "notes": False, "steps": None, "budget_ms": None,
                               "solver": None, "build_folder": None, "clang_args": (),
                               "isolate": False, "memory_mb": None, "time_ms": None}


def run(what: Input, contract: Optional[bytes] = None, file: Optional[bytes] = None) -> Result:
    options = _options(what.given)
    options.launch_text = contract
    options.launch_file = file
    options.names = None if what.names is None else what.names.encode("utf-8", "replace")
    if what.path is not None:
        address = library().tilerace_check_file(what.path, byref(options))
    else:
        address = library().tilerace_check_module(what.module, len(what.module), what.name,
                                                  byref(options))
    return Result(address, what.signature)


def compiled(kernel: Any, launch: Stated, given: Mapping[str, Any]) -> Input:
    if not isinstance(launch, (Launch, Signature)):
        raise TypeError("a kernel of cuTile Python is compiled for the arguments of a launch: pass "
                        "tilerace.Launch(grid, args), or tilerace.Signature(*args) for all "
                        "launches with arguments such as these, as second argument, not %s"
                        % type(launch).__name__)
    if not isinstance(launch.args, Sequence) or isinstance(launch.args, (str, bytes)):
        raise TypeError("the arguments of a launch are a sequence, as cuda.tile.launch takes them, "
                        "not %s" % type(launch.args).__name__)
    signed = _cutile.Signed(kernel, launch.args)
    name = signed.function.__name__
    return Input(None, signed.compile(), _plain(name, "the kernel's name"), signed.names(), signed,
                  given)


def check(what: Union[Path, bytes, bytearray, memoryview, Any], launch: Stated = None, *,
          name: str = "module", strict: bool = False, notes: bool = False,
          steps: Optional[int] = None, budget_ms: Optional[int] = None,
          solver: Optional[Path] = None, build_folder: Optional[Path] = None,
          clang_args: Sequence[str] = (), isolate: bool = False,
          memory_mb: Optional[int] = None, time_ms: Optional[int] = None) -> Result:
    """Checks the kernels of a file, of a module or of a recording, or a kernel of cuTile Python.

    `what` is the path of a C source of the dialect, of Tile IR bytecode or of a recording (a
    folder); or the bytes of a Tile IR module, which reports call `name`; or an object that
    `cuda.tile.kernel` made.

    `launch` is what the host guarantees. It is a launch contract, as a dict or as the path of a
    file; or a `Launch`, and the result is then only about this launch; or, for a kernel of cuTile
    Python, a `Signature`: the arguments that the kernel is compiled for.

    `strict`: facts that no contract states make a verdict unknown. `notes`: also report findings
    that are not races but worth knowing. `steps` and `budget_ms` limit the work for one kernel.
    `solver` is the command of an SMT-LIB 2 solver. `build_folder` has a compile_commands.json, and
    `clang_args` are passed to Clang (-I, -D) for C sources.

    `isolate`: check in processes of their own. If a check crashes, or exceeds `memory_mb` (4096)
    or, for one kernel, `time_ms` (300000), its kernel is unknown and this process is not affected.
    The two limits only apply with `isolate`.

    Raises InputError if the input cannot be checked. Other threads can run during the check.
    """
    if not isolate and (memory_mb is not None or time_ms is not None):
        raise InputError("memory_mb and time_ms are limits of a check with isolate=True")
    given = {"strict": strict, "notes": notes, "steps": steps, "budget_ms": budget_ms,
             "solver": solver, "build_folder": build_folder, "clang_args": clang_args,
             "isolate": isolate, "memory_mb": memory_mb, "time_ms": time_ms}
    if _cutile.is_kernel(what):
        source = compiled(what, launch, given)
    elif isinstance(what, (bytes, bytearray, memoryview)):
        if not isinstance(name, str):
            raise TypeError("the name of a module is a str, not %s" % type(name).__name__)
        source = Input(None, bytes(what), _plain(name, "the module's name"), None, None, given)
    elif isinstance(what, (str, os.PathLike)):
        source = Input(path_of(what, "the path"), b"", b"", None, None, given)
    else:
        raise TypeError("check() takes the path of a file, the bytes of a module or a kernel of "
                        "cuTile Python, not %s" % type(what).__name__)
    return _under(source, launch)


def _under(source: Input, launch: Stated) -> Result:
    if launch is None:
        return run(source)
    if isinstance(launch, Signature):
        if source.signature is None:
            raise TypeError("a Signature is for kernels of cuTile Python: a file is compiled "
                            "already")
        return run(source)
    if isinstance(launch, Launch):
        return run(source, contract=state(kernel_of(run(source)), launch).encode())
    if isinstance(launch, Mapping):
        return run(source, contract=_contract(launch))
    if isinstance(launch, (str, os.PathLike)):
        return run(source, file=path_of(launch, "the path of the launch contract"))
    raise TypeError("a launch is a launch contract as a dict or a path, or a tilerace.Launch, not "
                    "%s" % type(launch).__name__)

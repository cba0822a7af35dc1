"""The checker beside a program that `tilerace exec` did not start.

It is a process, `tilerace beside`, to which the same recorder speaks as under `exec`. The hooks are
the same, too (the package tilerace_capture); here they are installed in a program that runs already.
"""
import atexit
import importlib
import importlib.util
import os
import subprocess
import sys
import warnings
from typing import Any, Dict, List, Optional, Sequence, Tuple

from tilerace import _program

MODES = ("warn", "error", "strict", "interpret", "off")  # of TILERACE

_checker: Optional["subprocess.Popen[bytes]"] = None  # the process; None: there is none


def _mode() -> Optional[str]:
    """Returns the mode that the variable TILERACE asks for; None: nothing."""
    word = os.environ.get("TILERACE", "")
    if word not in ("", *MODES):
        raise ValueError("TILERACE is %s or %s, not %r" % (", ".join(MODES[:-1]), MODES[-1], word))
    return None if word in ("", "off") else word


def begin() -> None:
    """Once, at the import."""
    if getattr(sys, "orig_argv", [])[1:3] == ["-m", "tilerace"]:
        return  # the program takes this process's place
    mode = _mode()
    if mode is None or any(hasattr(finder, "is_of_tilerace") for finder in sys.meta_path):
        return  # nothing is asked for, or the hooks are here already, as under `tilerace exec`
    _begin(mode, mode == "interpret")


def _begin(mode: str, interprets: bool) -> None:
    socket, recorder, hooks, is_dry_run = _start(interprets)
    load(hooks, {"TILERACE_CAPTURE": socket, "TILERACE_RECORDER": recorder,
                 "TILERACE_DRY_RUN": is_dry_run})
    _install(hooks, mode)


def recorder() -> Any:
    """The hooks' module; None: there is no checker in this process."""
    is_begun = any(hasattr(finder, "is_of_tilerace") for finder in sys.meta_path)
    return _hook("recorder") if is_begun else None


BLIND = ("tilerace.interpret() needs a checker that executes launches: this program runs %s. Use "
         "TILERACE=interpret")
_interpreting: Any = None  # the module of the hooks


def interpreting() -> Any:
    """The hooks of a process whose launches can be executed; begins that where nothing has begun."""
    global _interpreting
    if _interpreting is not None:
        return _interpreting
    is_begun = any(hasattr(finder, "is_of_tilerace") for finder in sys.meta_path)
    if not is_begun:
        if _checker is not None:
            raise RuntimeError("tilerace.interpret() could not begin in this process before")
        _begin("error", True)
    if is_begun and not _hook("recorder").interprets():
        raise RuntimeError(BLIND % ("under a checker that does not, as `tilerace exec` without --interpret is" if _checker is None
                                    else "beside a checker that TILERACE has started"))
    hooks = _hook("interpreting")
    if not is_begun:
        hooks.is_only_inside = True
    _interpreting = hooks
    return hooks


def start(options: Sequence[str], words: Any = None) -> Tuple["subprocess.Popen[bytes]", List[str]]:
    """Starts a checker, whose words go to the file `words`; what it says of itself: the socket, the
    library that has the recorder, the folder of the hooks, and "1" in a dry run."""
    command = [_program.find(), "beside", *options]
    if "--interpret" not in options and os.environ.get("TILERACE_DRY_RUN", "") not in ("", "0"):
        command.append("--dry-run")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words)
    assert process.stdout is not None
    with process.stdout:
        said = process.stdout.read().split(b"\0")
    if len(said) != 5:
        raise RuntimeError("the checker could not be started (%s)" % " ".join(command))
    return process, [os.fsdecode(word) for word in said[:4]]


def _start(interprets: bool) -> List[str]:
    """The checker of this program; what it says of itself."""
    global _checker
    _checker, said = start(("--interpret",) if interprets else ())
    atexit.register(_end, os.getpid())
    return said


def _end(process: int) -> None:
    """The checker says what is left to say, and ends."""
    if os.getpid() != process:  # a child of fork, of which the checker is not
        return
    assert _checker is not None and _checker.stdin is not None
    _checker.stdin.close()
    try:
        _checker.wait(10)
    except subprocess.TimeoutExpired:
        pass


def load(hooks: str, environment: Dict[str, str]) -> None:
    """Loads the recorder, which reads the environment then and never again: no process that the
    program starts may take itself to be under `tilerace exec`."""
    before = {name: os.environ.get(name) for name in environment}
    sys.path.insert(0, hooks)
    try:
        os.environ.update(environment)
        recorder = _hook("recorder")
    finally:
        sys.path.remove(hooks)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    recorder.is_beside = not recorder.is_dry_run


def _hook(name: str) -> Any:
    """A module of the hooks. They lie in a folder of their own."""
    return importlib.import_module("tilerace_capture." + name)


def install(hooks: str) -> Optional[str]:
    """A sentence where launches cannot be seen."""
    spec = importlib.util.spec_from_file_location("tilerace_capture.finder",
                                                  os.path.join(hooks, "sitecustomize.py"))
    assert spec is not None and spec.loader is not None
    finder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(finder)
    blind: Optional[str] = _hook("late").install(finder, hooks)
    return blind


def _install(hooks: str, mode: str) -> None:
    blind = install(hooks)
    if not blind:
        return
    if mode != "warn":
        raise RuntimeError(blind)
    warnings.warn(blind, RuntimeWarning, stacklevel=_hook("findings").depth_outside("tilerace"))

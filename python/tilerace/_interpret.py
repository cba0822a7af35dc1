"""Launches of cuTile Python on the interpreter (docs/interpret.md)."""
import contextlib
import importlib
import weakref
from types import TracebackType
from typing import Any, List, Optional, Type

from tilerace import _beside

__all__ = ["empty", "interpret"]


class interpret(contextlib.ContextDecorator):
    """Inside of this block `cuda.tile.launch` takes arrays of the host (NumPy, PyTorch's CPU tensors)
    and executes the kernel on the interpreter, without a GPU. When the launch returns, its results
    are in the arrays.

    Each launch is checked: races, accesses outside of arrays, values that are not defined. With
    findings="error" a launch with a finding is a RaceError and leaves its arrays as they were; with
    "warn" it is a RaceWarning and happens. A launch that the interpreter cannot execute is an
    InterpretError. `written_wholly`: an array that a kernel stores to must be stored to wholly.

    The block counts for all threads. Of blocks inside of each other the inner one counts."""

    def __init__(self, *, findings: str = "error", written_wholly: bool = False) -> None:
        if findings not in ("error", "warn"):
            raise ValueError("findings is error or warn, not %r" % (findings,))
        self._findings = findings
        self._written_wholly = bool(written_wholly)
        self._open: List[Any] = []

    def __enter__(self) -> "interpret":
        block = _beside.interpreting().Block(self._findings, self._written_wholly)
        block.open()
        self._open.append(block)
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self._open.pop().close()


def empty(shape: Any, dtype: Any = float) -> Any:
    """A NumPy array that nothing has written, as numpy.empty gives it. Inside of interpret() an
    element of it that neither the host nor a kernel has written has no defined value. (What
    numpy.empty gives counts as written: the host says so by passing it.)"""
    array = importlib.import_module("numpy").empty(shape, dtype)
    if array.dtype.hasobject:
        raise TypeError("an array of %s has no elements without a value" % array.dtype)
    recorder = _beside.recorder()
    if recorder is not None and array.nbytes:
        address = array.__array_interface__["data"][0]
        if not recorder.undefined(address, array.nbytes, array.itemsize):
            raise MemoryError("the array cannot be kept in mind")
        weakref.finalize(array, recorder.freed, address).atexit = False
    return array

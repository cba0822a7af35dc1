"""Launches of cuTile Python on the interpreter (docs/interpret.md)."""
import contextlib
import importlib
import weakref
from types import TracebackType
from typing import Any, List, Optional, Type

from tilerace import _beside

__all__ = ["empty", "interpret"]


class interpret(contextlib.ContextDecorator):
    """Inside this block `cuda.tile.launch` accepts arrays in host memory (NumPy, PyTorch's CPU tensors)
    and executes the kernel on the interpreter, without a GPU. When the launch returns, its results
    are in the arrays.

    Each launch is checked for races, accesses outside of arrays and undefined values. With
    findings="error" a launch with a finding raises a RaceError, and its arrays do not change; with
    "warn" there is a RaceWarning, and the launch happens. A launch that the interpreter cannot execute
    raises an InterpretError. With `written_wholly`, a kernel has to store to each element of each array
    that it stores to.

    The block applies to all threads. If blocks are nested, the inner one applies."""

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
    """Returns a NumPy array that nothing has written yet, like numpy.empty. Inside interpret(), its
    elements are undefined until the host or a kernel writes them. (Arrays from numpy.empty itself
    count as written, because the host passes them to the kernel.)"""
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

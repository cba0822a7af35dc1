"""Launches against the proofs of their kernels."""
from __future__ import annotations

import ctypes
import enum
import os
from ctypes import POINTER, byref, c_int64
from dataclasses import dataclass
from typing import Any, Callable, List, NoReturn, Optional, Sequence, Tuple, Union

from tilerace import _library
from tilerace._arguments import Arguments, Flat, Grid, flat_of, grid_of
from tilerace._findings import RaceError
from tilerace._library import library
from tilerace._results import (Finding, InputError, Kernel, NoTruth, Precondition, Result, _one_of,
                               finding)

# A function that gives the contents of a buffer, by the name of its parameter; None: they cannot be had.
Contents = Callable[[str], Optional[bytes]]


class Launch:
    """A launch of a kernel: `check(kernel, Launch(grid, args))` is about this launch only.

    `args` are those of `cuda.tile.launch` for a kernel of cuTile Python, and those of `check_launch`
    otherwise.
    """

    def __init__(self, grid: Grid, args: Arguments) -> None:
        self.grid = grid_of(grid)
        self.args = args

    def __repr__(self) -> str:
        return "tilerace.Launch(%r, %r)" % (self.grid, self.args)


class Signature:
    """The arguments that a kernel of cuTile Python is compiled for. Only their types matter, and what
    the front end specialises for. `check(kernel, Signature(*args))` is about all such launches."""

    def __init__(self, *args: Any) -> None:
        self.args = args

    def __repr__(self) -> str:
        return "tilerace.Signature(%s)" % ", ".join(repr(arg) for arg in self.args)


class Outcome(NoTruth, enum.Enum):
    """How a launch compares with a proof, from the best to the worst outcome."""

    HOLDS = "holds"  #: the launch meets all preconditions of the proof: it is race-free
    NOT_CHECKED = "not checked"  #: a precondition cannot be evaluated from the arguments
    NEEDS_CONTENTS = "needs contents"  #: a precondition is about contents that cannot be read
    BROKEN = "broken"  #: a precondition is broken
    UNPROVED = "unproved"  #: the kernel has a race or is unknown, so there is no proof


_BAD_LAUNCH = len(Outcome)


@dataclass(frozen=True)
class Answer(NoTruth):
    """How a launch compares with the proof of its kernel. `str()` gives it as a sentence."""

    outcome: Outcome
    text: str
    precondition: Optional[Precondition]  #: the one with the worst outcome
    parameters: Tuple[str, ...]  #: those whose arguments break it
    elements: Tuple[int, ...]  #: elements of the first parameter that break it
    race: Optional[Finding]  #: the race that follows, if the result shows it
    not_checked: int  #: how many preconditions could not be evaluated

    @property
    def holds(self) -> bool:
        """True if the launch is proved race-free."""
        return self.outcome is Outcome.HOLDS

    def __str__(self) -> str:
        return self.text


class Asking:
    """A launch in the library's form."""

    def __init__(self, grid: Tuple[int, int, int], flat: Flat,
                 contents: Optional[Contents]) -> None:
        self.flat = flat
        self.contents = contents
        self.error: Optional[BaseException] = None  # of `contents`
        n = len(flat.items)
        pointers = (POINTER(_library.Argument) * max(n, 1))(
            *[ctypes.pointer(item) for item in flat.items])
        callback = _library.CONTENTS() if contents is None else _library.CONTENTS(self._ask)
        self.launch = _library.Launch((c_int64 * 3)(*grid), n, pointers, callback, None)

    def _ask(self, _: Any, argument: int, size: Any) -> Optional[int]:
        """The library's call for contents. No exception can pass through it."""
        assert self.contents is not None
        try:
            if self.error is not None:
                return None
            name = self.flat.kernel.parameters[argument].name
            held = self.contents(name)
            if held is None:
                return None
            if not isinstance(held, (bytes, bytearray, memoryview)):
                raise TypeError("the contents of '%s' are bytes, not %s"
                                % (name, type(held).__name__))
            copy = bytes(held)
            buffer = ctypes.create_string_buffer(copy, max(len(copy), 1))
            self.flat.kept.append(buffer)
            size[0] = len(copy)
            return ctypes.addressof(buffer)
        except BaseException as error:
            self.error = error
            return None


def _describe(pointer: Any, asking: Asking, answer: _library.Answer) -> str:
    size = 512  # for most sentences
    while True:
        words = ctypes.create_string_buffer(size)
        length = library().tilerace_describe(pointer, byref(asking.launch), byref(answer), words,
                                             size)
        if length < size:
            return _library.text(words.value)
        size = length + 1


def _answer_of(kernel: Kernel, pointer: Any, asking: Asking, answer: _library.Answer) -> Answer:
    words = _describe(pointer, asking, answer)
    if answer.outcome == _BAD_LAUNCH:
        raise InputError(words)
    which = sorted(set(answer.arguments), key=list(answer.arguments).index)
    return Answer(
        _one_of(Outcome, answer.outcome), words,
        kernel.preconditions[answer.precondition] if answer.precondition >= 0 else None,
        tuple(kernel.parameters[i].name for i in which) if answer.has_arguments else (),
        tuple(answer.elements) if answer.has_elements else (),
        finding(answer.race.contents) if answer.race else None, answer.not_checked)


def flat_arguments(kernel: Kernel, args: Arguments) -> Union[Flat, str]:
    """A sentence where they are of another signature than the kernel was compiled for."""
    signature = kernel._native.signature
    flat: Union[Flat, str] = flat_of(kernel, args) if signature is None \
        else signature.flat_of(kernel, args)
    return flat


def _ask(kernel: Kernel, grid: Grid, args: Arguments, contents: Optional[Contents]) -> Answer:
    if contents is not None and not callable(contents):
        raise TypeError("contents is a function of a parameter's name, not %s"
                        % type(contents).__name__)
    extents = grid_of(grid)
    flat = flat_arguments(kernel, args)
    if isinstance(flat, str):
        return Answer(Outcome.UNPROVED, flat, None, (), (), None, 0)
    asking = Asking(extents, flat, contents)
    answer = _library.Answer()
    pointer = kernel._native.pointer
    library().tilerace_check_launch(pointer, byref(asking.launch), byref(answer))
    told = _answer_of(kernel, pointer, asking, answer)
    if asking.error is not None:
        raise asking.error
    return told


def kernel_of(of: Union[Kernel, Result]) -> Kernel:
    """Returns the only kernel of a result, or the kernel itself."""
    if isinstance(of, Kernel):
        return of
    if not isinstance(of, Result):
        raise TypeError("a launch is held against a kernel of a Result, not against %s"
                        % type(of).__name__)
    if len(of.kernels) != 1:
        raise InputError("the result has %d kernels; a launch is held against one of them"
                         % len(of.kernels))
    return of.kernels[0]


def check_launch(of: Union[Kernel, Result], grid: Grid, args: Arguments, *,
                 contents: Optional[Contents] = None) -> Answer:
    """Compares a launch with the proof of its kernel, which takes some microseconds.

    `of` is a kernel of a result, or a result with one kernel. `args` has one argument for each
    parameter of the kernel, or one for each array and scalar, in order or by name: numbers, NumPy
    arrays, PyTorch tensors, objects with `__cuda_array_interface__`, `Buffer`s, addresses. For a
    kernel of cuTile Python they are those of `cuda.tile.launch`. If a precondition is about the
    contents of an array, the array is read if it is in host memory; for others `contents` is called.
    """
    return _ask(kernel_of(of), grid, args, contents)


class Guard:
    """Compares launches with a kernel's proof. Several threads may use it at once."""

    def __init__(self, of: Union[Kernel, Result], *, contents: Optional[Contents] = None) -> None:
        self.kernel = kernel_of(of)
        self.contents = contents

    def check(self, grid: Grid, args: Arguments) -> Answer:
        """Compares a launch with the proof, and returns the answer instead of raising RaceError."""
        return _ask(self.kernel, grid, args, self.contents)

    def __call__(self, grid: Grid, args: Arguments) -> None:
        """Raises RaceError unless the launch is proved race-free."""
        answer = self.check(grid, args)
        if answer.outcome is not Outcome.HOLDS:
            raise RaceError(answer.text)

    def __repr__(self) -> str:
        return "<tilerace.Guard of %s>" % self.kernel.name


def guard(of: Union[Kernel, Result], *, contents: Optional[Contents] = None) -> Guard:
    """Returns a guard for a kernel's launches: `guard(result)(grid, args)` raises RaceError unless
    the launch is proved race-free."""
    return Guard(of, contents=contents)


def state(kernel: Kernel, launch: Launch, file: Optional[str] = None, line: int = 0) -> str:
    """The launch as a launch contract, which was made at that line. Contents of buffers are stated
    where they matter."""
    flat = flat_arguments(kernel, launch.args)
    if isinstance(flat, str):
        raise InputError(flat)
    if not _needs_contents(kernel):
        for item, parameter in zip(flat.items, kernel.parameters):
            if parameter.element_bytes and parameter.name not in _tables(kernel):
                item.contents = None
    asking = Asking(launch.grid, flat, None)
    stated = _library.taken_text(library().tilerace_state_launch(
        kernel._native.pointer, byref(asking.launch), None if file is None else os.fsencode(file),
        line))
    if stated is None:
        raise InputError("'%s' has %d parameters, and the launch passes %d"
                         % (kernel.name, len(kernel.parameters), len(flat.items)))
    return stated


def _tables(kernel: Kernel) -> List[str]:
    """Pointers to rows of lists of arrays, which are always stated."""
    lengths = {p.name for p in kernel.parameters if p.name.endswith(".length")}
    return [p.name for p in kernel.parameters if p.name + ".length" in lengths]


def _needs_contents(kernel: Kernel) -> bool:
    return (not (kernel.verdict.value in ("race-free", "conditional"))
            or any(p.of_contents for p in kernel.preconditions)
            or any(f.witness is not None and f.witness.contents for f in kernel.findings))

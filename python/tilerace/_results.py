"""The results of a check, as data. Everything is copied out of the library's result when it is made."""
from __future__ import annotations

import enum
import json
import os
from dataclasses import dataclass, field
from typing import (TYPE_CHECKING, Any, Callable, Dict, List, NoReturn, Optional, Sequence,
                    Tuple, Type, TypeVar, Union)

from tilerace import _library
from tilerace._library import file_name, library, text, text_or_none

if TYPE_CHECKING:
    from tilerace._arguments import Arguments, Grid
    from tilerace._launch import Answer, Contents

E = TypeVar("E", bound=enum.Enum)


class NoTruth:
    """Base of values that are neither true nor false: `if result:` would let an unknown verdict pass."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a %s is neither true nor false; compare it, or its verdict"
                        % type(self).__name__)


class Verdict(NoTruth, enum.Enum):
    """The verdict on a kernel, for all launches that its contract allows."""

    RACE_FREE = "race-free"
    CONDITIONAL = "conditional"  #: race-free under preconditions whose violation is a race
    RACE = "race"
    UNKNOWN = "unknown"


class PreconditionClass(enum.Enum):
    """What a launch that breaks a precondition does."""

    STANDING = "standing"  #: something that callers do not do
    LAUNCH = "launch"  #: undefined behaviour or an error in itself
    RACE = "race"  #: it races


class Level(enum.Enum):
    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


class ParameterKind(enum.Enum):
    INTEGER = "integer"
    FLOAT = "float"
    POINTER = "pointer"


class Part(enum.Enum):
    """Which part of an array a parameter is, if the module says which parameters form one."""

    NONE = "none"
    POINTER = "pointer"
    EXTENT = "extent"
    STRIDE = "stride"


class InputError(ValueError):
    """The input cannot be checked.

    `str()` gives all errors, one on each line. `file`, `line`, `column` and `text` are those of the
    first error; `errors` has all of them.
    """

    def __init__(self, text: str, file: Optional[str] = None, line: Optional[int] = None,
                 column: Optional[int] = None, hint: Optional[str] = None,
                 errors: Sequence[InputError] = ()) -> None:
        super().__init__(text, file, line, column, hint)
        self.text = text  #: a sentence
        self.file = file
        self.line = line  #: counted from 1; None: not known
        self.column = column  #: in bytes from 1; None: not known
        self.hint = hint  #: what to write instead
        self.errors: Tuple[InputError, ...] = tuple(errors) or (self,)

    def _line(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        hint = "" if self.hint is None else ". " + self.hint
        return ": ".join([":".join(place), self.text] if place else [self.text]) + hint

    def __str__(self) -> str:
        return "\n".join(error._line() for error in self.errors)


InputError.__module__ = "tilerace"


@dataclass(frozen=True)
class Place:
    """A place in a source. If the module has no places, `file` is None and `op` names the operation."""

    role: str  #: "first access", "second access", "access", "kernel", "reason", "launch"
    file: Optional[str]
    line: int
    column: int  #: in bytes from 1
    end_line: int
    end_column: int
    op_ordinal: int  #: number of the op in its kernel
    op: str

    def __str__(self) -> str:
        return self.op if self.file is None else "%s:%d:%d" % (self.file, self.line, self.column)


@dataclass(frozen=True)
class Parameter:
    """A parameter of the kernel, in order."""

    name: str
    kind: ParameterKind
    bits: int  #: of an integer, or of the integers that a pointer addresses; else 0
    part: Part
    array: int  #: of an extent or stride: number of the parameter that is the array's pointer
    dimension: int
    element_bytes: int  #: of what a pointer addresses; 0: unknown, or less than a byte


@dataclass(frozen=True)
class Precondition:
    """A fact about launches that a verdict depends on."""

    kind: str  #: "unique-contents"; `explain` explains it
    class_: PreconditionClass
    text: str  #: a sentence
    term: Optional[str]  #: in the expression syntax of launch contracts
    contract: Optional[Dict[str, Any]]  #: the same as a fragment of a launch contract
    subject: Optional[str]  #: the parameter that it is about; None: no single one
    part: Optional[str]  #: "shape[0]" of it, or "grid.x"
    reason: Optional[str]  #: the finding that it excludes
    of_contents: bool  #: it is about the contents of buffers
    parameters: Tuple[str, ...]  #: the parameters in its term
    by_solver: bool  #: the SMT solver showed that it is needed, or that it is enough

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Lookup:
    """An element of a table from which an address is computed."""

    buffer: str
    element: int
    value: int


@dataclass(frozen=True)
class Event:
    """An access of a witness."""

    block: Tuple[int, int, int]
    iterations: Tuple[int, ...]  #: counters of the loops around it, outermost first
    access: str  #: "load", "store", "atomic", "value"
    order: Optional[str]  #: "weak", "relaxed", ...
    scope: Optional[str]  #: "tl_blk", "device", "sys"
    buffer: Optional[str]
    element: int  #: number of the element in the buffer
    coordinates: Tuple[int, ...]  #: of the element in the tensor
    in_tile: Tuple[int, ...]
    lookups: Tuple[Lookup, ...]


@dataclass(frozen=True)
class Witness:
    """A launch that shows a finding. The interpreter has replayed it."""

    grid: Tuple[int, int, int]
    parameters: Dict[str, int]
    contents: Dict[str, Tuple[Union[int, float], ...]]  #: of buffers, if the finding depends on them
    events: Tuple[Event, ...]  #: two for a race


@dataclass(frozen=True)
class Repair:
    """A change that would remove a finding."""

    text: str  #: a sentence
    replacement: Optional[str]  #: replaces the range below in the source; None: there is only `text`
    line: int
    column: int
    end_line: int
    end_column: int
    verified: bool  #: the repaired kernel was proved race-free


@dataclass(frozen=True)
class Finding:
    """A race or another mistake that a check found."""

    rule: str  #: "TR001"; `explain` explains it
    name: str  #: "inter-block-write-write"
    level: Level
    confirmed: bool  #: its witness was run
    message: str
    words: Optional[str]  #: the witness in words
    places: Tuple[Place, ...]  #: it is reported at the first
    witness: Optional[Witness]
    repairs: Tuple[Repair, ...]
    precondition: Optional[int]  #: number of the kernel's precondition that the witness breaks
    fingerprint: str  #: the same after edits elsewhere in the file
    allowed: Optional[str]  #: the reason in a comment that allows it
    by_solver: bool  #: it was found with an answer of the SMT solver

    @property
    def place(self) -> Place:
        return self.places[0]

    def __str__(self) -> str:
        return "%s: %s [%s]" % (self.place, self.message, self.rule)


@dataclass(frozen=True)
class Reason:
    """Why a verdict is unknown."""

    kind: str  #: "steps", "data-dependent", ...
    text: str
    place: Optional[Place]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Kernel(NoTruth):
    """A kernel, checked for one of the launches of its contract."""

    name: str
    verdict: Verdict
    file: str  #: the file that was checked
    place: Optional[Place]  #: the kernel's place in the source
    launched_at: Optional[Place]  #: where a recorded launch was made
    parameters: Tuple[Parameter, ...]
    preconditions: Tuple[Precondition, ...]
    findings: Tuple[Finding, ...]
    reason: Optional[Reason]  #: of an unknown verdict
    by_solver: bool  #: the verdict depends on answers of the SMT solver
    time_ms: float = field(compare=False)
    _native: NativeKernel = field(repr=False, compare=False)

    def check_launch(self, grid: Grid, args: Arguments, *,
                     contents: Optional[Contents] = None) -> Answer:
        """The same as `tilerace.check_launch`."""
        from tilerace._launch import check_launch

        return check_launch(self, grid, args, contents=contents)


# ---- From the library's structures ----


class Native:
    """The library's result, which gives itself back."""

    def __init__(self, address: int) -> None:
        self.address = address
        self._free = library().tilerace_free

    def __del__(self) -> None:
        if getattr(self, "_free", None) is not None:
            self._free(self.address)


@dataclass(frozen=True)
class NativeKernel:
    """A kernel of a result, which lives as long as this."""

    owner: Native
    pointer: Any  # POINTER(_library.Kernel)
    signature: Any = None  # of _cutile.Signed, if it was compiled for arguments


def _one_of(of: Type[E], number: int) -> E:
    """The member of that number, of a class that has the library's order."""
    members = list(of)
    if not 0 <= number < len(members):
        raise ImportError("libtilerace is newer than this package: it has a %s of number %d"
                          % (of.__name__, number), name="tilerace")
    return members[number]


def _all(pointers: Any, n: int, convert: Callable[[Any], Any]) -> Tuple[Any, ...]:
    return tuple(convert(pointers[i].contents) for i in range(n))


def _place(l: Any) -> Place:
    return Place(text(l.role), file_name(l.file), l.line, l.column, l.end_line, l.end_column,
                 l.op_ordinal, text(l.op))


def _place_or_none(pointer: Any) -> Optional[Place]:
    return _place(pointer.contents) if pointer else None


def _parameter(p: Any) -> Parameter:
    return Parameter(text(p.name), _one_of(ParameterKind, p.kind), p.bits, _one_of(Part, p.part),
                     p.array, p.dimension, p.element_bytes)


def _precondition(names: Sequence[str]) -> Callable[[Any], Precondition]:
    def convert(p: Any) -> Precondition:
        contract = text_or_none(p.contract)
        return Precondition(
            text(p.kind), _one_of(PreconditionClass, p.class_), text(p.text),
            text_or_none(p.term), None if contract is None else json.loads(contract),
            text_or_none(p.subject), text_or_none(p.part), text_or_none(p.reason), p.of_contents,
            tuple(names[p.parameters[i]] for i in range(p.n_parameters)), p.by_solver)

    return convert


def _event(e: Any) -> Event:
    return Event(tuple(e.block), tuple(e.iterations[:e.n_iterations]), text(e.access),
                 text_or_none(e.order), text_or_none(e.scope), text_or_none(e.buffer), e.element,
                 tuple(e.coordinates[:e.n_coordinates]), tuple(e.in_tile[:e.n_in_tile]),
                 _all(e.lookups, e.n_lookups,
                      lambda l: Lookup(text(l.buffer), l.element, l.value)))


def _witness(w: Any) -> Witness:
    contents = [w.contents[i].contents for i in range(w.n_contents)]
    values = [w.parameters[i].contents for i in range(w.n_parameters)]
    return Witness(tuple(w.grid), {text(v.name): v.value for v in values},
                   {text(c.buffer): tuple((c.floats or c.elements)[:c.n]) for c in contents},
                   _all(w.events, w.n_events, _event))


def _repair(r: Any) -> Repair:
    return Repair(text(r.text), text_or_none(r.with_), r.line, r.column, r.end_line, r.end_column,
                  r.verified)


def finding(f: Any) -> Finding:
    return Finding(text(f.rule), text(f.name), _one_of(Level, f.level), f.confirmed,
                   text(f.message), text_or_none(f.words),
                   _all(f.locations, f.n_locations, _place),
                   _witness(f.witness.contents) if f.witness else None,
                   _all(f.repairs, f.n_fixes, _repair),
                   None if f.precondition < 0 else f.precondition, text(f.fingerprint),
                   text_or_none(f.allowed), f.by_solver)


def _reason(k: Any) -> Optional[Reason]:
    if k.reason_kind is None:
        return None
    return Reason(text(k.reason_kind), text(k.reason), _place_or_none(k.reason_place))


def kernel(owner: Native, pointer: Any, signature: Any) -> Kernel:
    k = pointer.contents
    parameters = _all(k.parameters, k.n_parameters, _parameter)
    names = [parameter.name for parameter in parameters]
    return Kernel(text(k.name), _one_of(Verdict, k.verdict), os.fsdecode(k.file),
                  _place_or_none(k.place), _place_or_none(k.launched_at), parameters,
                  _all(k.preconditions, k.n_preconditions, _precondition(names)),
                  _all(k.findings, k.n_findings, finding), _reason(k), k.by_solver, k.time_ms,
                  NativeKernel(owner, pointer, signature))


def input_errors(address: int) -> List[InputError]:
    errors = []
    for i in range(library().tilerace_error_count(address)):
        e = library().tilerace_input_error_at(address, i).contents
        errors.append(InputError(text(e.text), file_name(e.file), e.line or None,
                                 e.column or None, text_or_none(e.hint)))
    return errors


# ---- The whole ----

_WORST = (Verdict.RACE, Verdict.UNKNOWN, Verdict.CONDITIONAL, Verdict.RACE_FREE)


class Result(NoTruth):
    """The result of `check`: the kernels of a file, a module or a recording. It does not change."""

    def __init__(self, address: int, signature: Any = None) -> None:
        self._native = Native(address)
        errors = input_errors(address)
        if errors:
            first = errors[0]
            raise InputError(first.text, first.file, first.line, first.column, first.hint, errors)
        pointers = [library().tilerace_kernel_at(address, i)
                    for i in range(library().tilerace_kernel_count(address))]
        self._kernels = tuple(kernel(self._native, pointer, signature) for pointer in pointers)

    @property
    def kernels(self) -> Tuple[Kernel, ...]:
        """The kernels, in their order in the file. Alternative launches of a kernel follow each other."""
        return self._kernels

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of all kernels, in the order race, unknown, conditional, race-free. It is
        unknown if there is no kernel."""
        found = {k.verdict for k in self._kernels}
        return next((verdict for verdict in _WORST if verdict in found), Verdict.UNKNOWN)

    @property
    def findings(self) -> Tuple[Finding, ...]:
        """The findings of all kernels."""
        return tuple(f for k in self._kernels for f in k.findings)

    def report(self, format: str = "text") -> str:
        """The report that `tilerace check --format FORMAT` prints; `tilerace check --help` lists the
        formats."""
        if not isinstance(format, str):
            raise TypeError("the format of a report is a str, not %s" % type(format).__name__)
        written = _library.taken_text(library().tilerace_report(
            self._native.address, format.partition("\0")[0].encode("utf-8", "replace")))
        if written is None or "\0" in format:
            raise InputError("there is no format %r of reports" % format)
        return written

    def __repr__(self) -> str:
        kernels = ", ".join("%s: %s" % (k.name, k.verdict.value) for k in self._kernels)
        return "<tilerace.Result %s>" % (kernels or "without kernels")

    def __str__(self) -> str:
        return self.report()

    def _repr_html_(self) -> str:
        from tilerace._page import frame

        return frame(self.report("html"))

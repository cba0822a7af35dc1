"""Reads what a candidate compiles to, and the values of a reference. Both come from a process in which a stranger's
code has run and may have written the answer itself. So an answer is used only if it has the form of ours and is true of
the launches."""
from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from tilerace import _judge_process
from tilerace._confine import Limits
from tilerace._results import InputError

_WIDEST = 8  # bytes of an element; as text of base64, less than twice as many
Specs = Sequence[Sequence[Mapping[str, Any]]]  # of each launch, its arguments


@dataclass(frozen=True)
class Module:
    bytes: bytes
    symbol: str
    known: List[Dict[str, Any]]  # of each argument, what the front end has fixed


@dataclass(frozen=True)
class Built:
    modules: List[Module]
    of: List[int]  # which module each launch is of
    doubt: Optional[str] = None  # why its text alone does not state these modules


class _Wrong(Exception):
    pass


def _need(holds: bool) -> None:
    if not holds:
        raise _Wrong


def _bytes(text: Any) -> bytes:
    _need(isinstance(text, str))
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise _Wrong from error


def _known_array(of: Mapping[str, Any], rank: int) -> Dict[str, Any]:
    known: Dict[str, Any] = {"kind": "Array"}
    for key in ("shape_constant", "stride_constant", "shape_divisible_by", "stride_divisible_by"):
        values = of.get(key)
        _need(isinstance(values, list) and len(values) == rank)
        _need(all(value is None or type(value) is int for value in values or ()))
        known[key] = values
    return known


def _is_true(known: Mapping[str, Any], spec: Mapping[str, Any]) -> bool:
    """Is what an answer says to be fixed of an array true of the array that was passed?"""
    for what, key in (("shape", "shape"), ("stride", "strides")):
        for value, constant, divisor in zip(spec[key], known[what + "_constant"],
                                            known[what + "_divisible_by"]):
            if constant not in (None, value) or (divisor and (divisor < 0 or value % divisor)):
                return False
    return True


def is_launch_of(module: Module, spec: Sequence[Mapping[str, Any]]) -> bool:
    """Whether what the front end fixed of the module's arguments holds for these."""
    return all("shape" not in of or _is_true(known, of) for known, of in zip(module.known, spec))


def _module(of: Any, specs: Specs) -> Module:
    _need(isinstance(of, dict) and isinstance(of.get("symbol"), str))
    known: Any = of.get("known")
    _need(isinstance(known, list) and len(known) == len(specs[0]))
    read: List[Dict[str, Any]] = []
    for i, each in enumerate(known):
        _need(isinstance(each, dict) and isinstance(each.get("kind"), str))
        spec = specs[0][i]
        _need((each["kind"] == "Array") == ("shape" in spec))
        read.append(_known_array(each, len(spec["shape"])) if "shape" in spec else {"kind": each["kind"]})
    return Module(_bytes(of.get("bytes")), of["symbol"], read)


def _built(answer: Mapping[str, Any], specs: Specs) -> Built:
    modules: Any = answer.get("modules")
    of: Any = answer.get("of")
    _need(isinstance(modules, list) and 0 < len(modules) <= len(specs))
    _need(isinstance(of, list) and len(of) == len(specs))
    _need(all(type(which) is int and 0 <= which < len(modules) for which in of))
    _need(set(of) == set(range(len(modules))))
    built = Built([_module(each, specs) for each in modules], of)
    for launch, which in zip(specs, of):
        _need(is_launch_of(built.modules[which], launch))
    return built


def _read(answer: Mapping[str, Any], specs: Specs) -> Union[Built, Dict[str, Any]]:
    refused: Optional[Dict[str, Any]] = None
    if "ours" in answer:  # a candidate that says so itself is not passed by it
        return {"what": str(answer["ours"]), "ours": True}
    if "refused" in answer:
        refused = {"what": "cuTile Python: " + str(answer["refused"]), "file": "candidate.py",
                   "limit": bool(answer.get("limit"))}
        if type(answer.get("line")) is int and answer["line"] > 0:
            refused["line"] = answer["line"]
        return refused
    try:
        ran, stated = _built(answer, specs), answer["stated"]
        if "doubt" in stated:
            return replace(ran, doubt=str(stated["doubt"]))
        if ran == _built(stated, specs):
            return ran
        return {"what": "cuTile Python: compiles to something else once it has run than its text states",
                "file": "candidate.py", "limit": False}
    except _Wrong:
        return {"what": "cuTile Python: answers in place of the compiler", "file": "candidate.py",
                "limit": False}


def compiled(file: str, kernel: Optional[str], specs: Specs, folder: str,
             limits: Limits) -> Union[Built, Dict[str, Any]]:
    """The modules of a candidate for these launches; or what stands for `refused` in a context. The
    folder has the files that the launches name."""
    request = {"role": "compile", "file": file, "kernel": kernel, "samples": specs}
    return _read(_judge_process.run(request, folder, limits), specs)


def _read_expected(answer: Mapping[str, Any], specs: Specs) -> Dict[str, bytes]:
    if "ours" in answer:
        raise InputError("the reference cannot be run: %s" % answer["ours"])
    if "refused" in answer:
        raise InputError("the reference %s" % answer["refused"])
    widths = {"64": 8, "32": 4, "16": 2}
    found: Dict[str, bytes] = {}
    try:
        of = answer.get("expected")
        _need(isinstance(of, dict))
        for number, launch in enumerate(specs):
            for i, spec in enumerate(launch):
                if not spec.get("output"):
                    continue
                key = "%d.%d" % (number, i)
                found[key] = _bytes((of or {}).get(key))
                width = widths.get(spec["dtype"][-2:], 1)
                _need(len(found[key]) == spec["elements"] * width)
    except _Wrong:
        raise InputError("the reference answers in place of the judge") from None
    return found


def expected(file: str, function: str, specs: Specs, folder: str, limits: Limits) -> Dict[str, bytes]:
    """The outputs of a reference, each by "LAUNCH.ARGUMENT"; InputError where it gives none."""
    request = {"role": "reference", "file": file, "function": function, "samples": specs}
    most = sum(2 * _WIDEST * spec["elements"] for launch in specs for spec in launch if spec.get("output"))
    return _read_expected(_judge_process.run(request, folder, limits, (1 << 20) + most), specs)

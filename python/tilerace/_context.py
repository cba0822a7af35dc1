"""Contexts whose candidate is cuTile Python (docs/judge.md, "Candidates in Python")."""
from __future__ import annotations

import math
import os
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple

from tilerace import _outside
from tilerace._confine import Limits
from tilerace._judge_sizes import Expression, Sizes, evaluate, values_of
from tilerace._results import InputError

MOST_ELEMENTS = 1 << 16  # of all arrays of one launch that is tried
_DTYPES = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32",
           "uint16", "uint8", "bool")

# ---- Forms of values ----

Form = Tuple[Callable[[Any], bool], str]  # whether a value has it, and how it is called


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_expression(value: Any) -> bool:
    return type(value) is int or (isinstance(value, str) and 0 < len(value) <= 1000)


def _whole(low: int, high: int) -> Form:
    return lambda value: type(value) is int and low <= value <= high, "a whole number from %d to %d" % (low, high)


_BOOL: Form = lambda value: isinstance(value, bool), "true or false"
_TEXT: Form = lambda value: isinstance(value, str) and "\0" not in value, "a text"
_NAME: Form = lambda value: isinstance(value, str) and value.isidentifier(), "a name"
_OBJECT: Form = lambda value: isinstance(value, Mapping), "an object"
_EXPRESSION: Form = _is_expression, "a whole number or an expression over sizes"
_VALUE: Form = (lambda value: isinstance(value, (bool, str)) or _is_number(value),
                "a number, or an expression over sizes and tuning values")

_CONTEXT: Dict[str, Form] = {
    "version": (lambda value: type(value) is int and value == 1, "1"),
    "kernel": (lambda value: isinstance(value, (str, Mapping)), "a file, or an object"),
    "sizes": _OBJECT, "limits": _OBJECT, "tune": _OBJECT, "trusted": _BOOL,
    "arguments": (lambda value: isinstance(value, (list, tuple)) and 0 < len(value) <= 1000, "a list of arguments"),
    "grid": (lambda value: isinstance(value, (list, tuple)) and 1 <= len(value) <= 3 and all(map(_is_expression, value)),
             "a list of up to three extents: what the kernel is launched with"),
    "reference": (lambda value: isinstance(value, str) and "\0" not in value, "FILE:FUNCTION"),
    "tolerance": (lambda value: _is_number(value) and value >= 0, "a number from 0"),
    "stages": (lambda value: isinstance(value, (list, tuple)) and bool(value) and all(
        isinstance(each, str) for each in value), "a list of stages"),
    "samples": _whole(1, 1000), "seed": _whole(0, 1 << 53),
}
_KERNEL: Dict[str, Form] = {"file": _TEXT, "source": (lambda value: isinstance(value, str), "a text"), "name": _NAME}
_LIMITS: Dict[str, Form] = {
    "seconds": (lambda value: _is_number(value) and 0 < value <= 1e6, "a number above 0"),
    "megabytes": _whole(1, 1 << 24), "scratch_megabytes": _whole(1, 1 << 24)}
_ARGUMENT: Dict[str, Form] = {
    "name": _NAME, "output": _BOOL, "inout": _BOOL, "strided": _BOOL, "unique": _BOOL,
    "increasing": _BOOL,
    "dtype": (lambda value: value in _DTYPES, "one of " + ", ".join(_DTYPES)),
    "shape": (lambda value: isinstance(value, (list, tuple)) and 1 <= len(value) <= 8 and all(map(_is_expression, value)),
              "a list of up to eight extents"),
    "value": _VALUE, "constant": _VALUE, "min": _EXPRESSION, "max": _EXPRESSION}


def _hold(stated: Any, forms: Mapping[str, Form], what: str) -> Dict[str, Any]:
    """An object of these keys, whose values have their forms. InputError says which does not."""
    if not isinstance(stated, Mapping):
        raise InputError("%s is an object" % (what.rstrip(".") or "a context"))
    for key, value in stated.items():
        if key not in forms:
            raise InputError("%s%s is not a key of a context of cuTile Python" % (what, key))
        has_form, called = forms[key]
        if not has_form(value):
            raise InputError("%s%s has to be %s" % (what, key, called))
    return dict(stated)


# ---- The context ----


def _arguments(stated: Sequence[Any]) -> List[Mapping[str, Any]]:
    found = [_hold(of, _ARGUMENT, "arguments[%d]." % i) for i, of in enumerate(stated)]
    for i, of in enumerate(found):
        if "name" not in of or sum(key in of for key in ("shape", "value", "constant")) != 1:
            raise InputError("arguments[%d] has a name, and a shape, a value or a constant" % i)
        if "shape" in of and "dtype" not in of:
            raise InputError("arguments[%d]: the dtype of '%s' is one of %s" % (i, of["name"], ", ".join(_DTYPES)))
        if any(of["name"] == other["name"] for other in found[:i]):
            raise InputError("arguments[%d]: there are two arguments '%s'" % (i, of["name"]))
    return [*found]


class Context:
    """A context, checked against its form. Its file names are relative to the folder. Raises InputError where it is
    wrong."""

    def __init__(self, stated: Mapping[str, Any], folder: str) -> None:
        of = _hold(stated, _CONTEXT, "")
        self.folder = folder
        self.samples: int = of.get("samples", 8)
        self.seed: int = of.get("seed", 1)
        self.reference = of.get("reference")
        self.tolerance = of.get("tolerance")
        self.stages = of.get("stages")
        self.trusted: bool = of.get("trusted", False)
        self.tune: Dict[str, List[Any]] = {name: values_of(name, each) for name, each in of.get("tune", {}).items()}
        self.limits = Limits(**_hold(of.get("limits", {}), _LIMITS, "limits."))
        self._take_kernel(of.get("kernel"))
        self.sizes = Sizes(of.get("sizes", {}), MOST_ELEMENTS // 4)
        if "arguments" not in of or "grid" not in of:
            raise InputError("a context of cuTile Python has `arguments` and a `grid`: what the kernel is launched with")
        self.arguments = _arguments(of["arguments"])
        self.grid: List[Expression] = list(of["grid"])

    def _take_kernel(self, kernel: Any) -> None:
        of = _hold({"file": kernel} if isinstance(kernel, str) else kernel or {}, _KERNEL, "kernel.")
        self.name = of.get("name")
        self.file = of.get("file")
        if "source" in of:
            self.source = of["source"]
            _outside.hold_size(len(self.source), "the candidate")
        elif self.file:
            self.source = _outside.read_text(os.path.join(self.folder, self.file))
        else:
            raise InputError("kernel is missing: a file, or its source")

    def elements(self, sizes: Mapping[str, int]) -> int:
        return sum(math.prod(self.shape(of, sizes)) for of in self.arguments if "shape" in of)

    def shape(self, of: Mapping[str, Any], sizes: Mapping[str, int]) -> List[int]:
        shape = [evaluate(extent, sizes) for extent in of["shape"]]
        if min(shape) < 0:
            raise InputError("an extent of '%s' is %d where %s" % (of["name"], min(shape), ", ".join(
                "%s = %d" % size for size in sizes.items()) or "nothing varies"))
        return shape

    def value(self, of: Mapping[str, Any], sizes: Mapping[str, int], tuned: Mapping[str, Any]) -> Any:
        """Returns the value of a number: a size, a tuning value, or the number as it is stated."""
        stated = of["value"] if "value" in of else of["constant"]
        if isinstance(stated, str):
            return tuned[stated] if stated in tuned else evaluate(stated, sizes)
        return stated


def is_python(kernel: Any) -> bool:
    """Whether a context's kernel is cuTile Python. What has not the form of a kernel is none."""
    of = {"file": kernel} if isinstance(kernel, str) else kernel if isinstance(kernel, Mapping) else {}
    if isinstance(of.get("source"), str):
        return "cuda.tile" in of["source"] or "from cuda import tile" in of["source"]
    return str(of.get("file", "")).endswith(".py")


def whole_numbers(values: Mapping[str, Any]) -> Dict[str, int]:
    """Returns the values that expressions over sizes may name."""
    return {key: value for key, value in values.items() if type(value) is int}

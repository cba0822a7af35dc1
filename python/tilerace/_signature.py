"""States beside a kernel of cuTile Python what `tilerace check --build` compiles it for:

    @tilerace.signature(x="f32[2]", y="f32[2]", n="i32", TILE=128)
    @ct.kernel
    def scale(x, y, n, TILE: ct.Constant[int]): ...

docs/build.md says what the words mean.
"""
from __future__ import annotations

import importlib
import re
import weakref
from typing import Any, Callable, Dict, List, Mapping, Tuple, TypeVar, Union

K = TypeVar("K")
Stated = Mapping[str, Union[str, int, float, bool]]

ALIGNMENT = 16  # bytes
_WORDS = ("strided", "aligned", "overlap", "i64")
_ELEMENTS = {
    "bool": "bool_", "f16": "float16", "bf16": "bfloat16", "tf32": "tfloat32", "f32": "float32",
    "f64": "float64", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
    **{short + bits: name + bits for short, name in (("i", "int"), ("u", "uint"))
       for bits in ("8", "16", "32", "64")},
}

# Signatures of kernels, or of functions that become kernels.
_stated: "weakref.WeakKeyDictionary[Any, List[Stated]]" = weakref.WeakKeyDictionary()


def signature(**parameters: Union[str, int, float, bool]) -> Callable[[K], K]:
    """States one signature of a kernel, for `check --build`. The kernel itself is not changed. May be
    given several times."""

    def state(kernel: K) -> K:
        _stated.setdefault(kernel, []).insert(0, dict(parameters))
        return kernel

    return state


def stated_of(kernel: Any) -> List[Stated]:
    """Returns all signatures that were stated of the kernel, in the order of the source."""
    function = kernel._annotated_function.pyfunc
    return [*_stated.get(kernel, []), *_stated.get(function, [])]


def _element(name: str) -> Any:
    front_end = importlib.import_module("cuda.tile")
    known = getattr(front_end, _ELEMENTS.get(name, ""), None)
    if not isinstance(known, type(front_end.int32)):
        raise ValueError("there is no type '%s'; there are %s" % (name, ", ".join(sorted(_ELEMENTS))))
    return known


def _array(element: Any, rank: int, words: List[str]) -> Dict[str, Any]:
    """The keywords of an ArrayConstraint: packed rows, unless a word says otherwise."""
    front_end = importlib.import_module("cuda.tile")
    groups = [word[len("alias="):] for word in words if word.startswith("alias=")]
    for word in words:
        if word not in _WORDS and not word.startswith("alias="):
            raise ValueError("there is no word '%s'; there are %s and alias=GROUP"
                             % (word, ", ".join(_WORDS)))
    packed = rank > 0 and "strided" not in words
    bytes_of = max(element.bitwidth // 8, 1)
    step = ALIGNMENT // bytes_of if "aligned" in words and bytes_of < ALIGNMENT else 1
    return {
        "dtype": element, "ndim": rank,
        "index_dtype": front_end.int64 if "i64" in words else front_end.int32,
        "stride_lower_bound_incl": tuple([0] * (rank - packed) + [None] * packed),
        "alias_groups": tuple(groups), "may_alias_internally": "overlap" in words,
        "shape_constant": (None,) * rank,
        "stride_constant": (None,) * (rank - packed) + (1,) * packed,
        "shape_divisible_by": (1,) * rank,
        "stride_divisible_by": (step,) * (rank - packed) + (1,) * packed,
        "base_addr_divisible_by": ALIGNMENT if "aligned" in words else 1,
    }


def _found(value: Union[str, int, float, bool]) -> Tuple[str, Any]:
    """Returns a parameter in the form in which `_cutile` describes arguments."""
    if not isinstance(value, str):
        return "Constant", (type(value), repr(value) if isinstance(value, float) else value)
    kind, *words = value.split() or [""]
    is_list = kind == "list"
    if is_list:
        kind, *words = words or [""]
    array = re.fullmatch(r"(\w+)\[(\d)\]", kind)
    if array:
        return "List" if is_list else "Array", _array(_element(array[1]), int(array[2]), words)
    if is_list or words:
        raise ValueError("'%s' is not a type of a parameter: an array is written 'f32[2]', a list of arrays "
                         "'list f32[2]', a number 'i32'" % value)
    return "Scalar", _element(kind)


def found_of(kernel: Any, stated: Stated) -> List[Tuple[str, Any]]:
    """Returns the constraint of each parameter of the kernel, in order. Raises ValueError, with a sentence, where the
    stated signature does not fit."""
    names = list(kernel._annotated_function.pysig.parameters)
    unknown = [name for name in stated if name not in names]
    missing = [name for name in names if name not in stated]
    if unknown:
        raise ValueError("it has no parameter '%s'" % unknown[0])
    if missing:
        raise ValueError("it does not state the parameter '%s'" % missing[0])
    found = []
    for name in names:
        try:
            found.append(_found(stated[name]))
        except ValueError as error:
            raise ValueError("'%s': %s" % (name, error)) from error
    return found

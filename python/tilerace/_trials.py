"""Launches of a context that are tried: their sizes, with contents that a seed draws."""
from __future__ import annotations

import importlib
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from tilerace._arguments import packed
from tilerace._context import MOST_ELEMENTS, Context, whole_numbers
from tilerace._judge_sizes import Expression, evaluate
from tilerace._results import InputError

Launch = Dict[str, Any]  # as a launch contract states it
_TOLERANCES = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-12}
_LEAST = 1 / 256  # what cancels out leaves the rounding of what it was computed from


def sizes_of(context: Context) -> List[Dict[str, int]]:
    """The sizes of the launches that are tried of each candidate of the context, all different. InputError: all are
    too large for that."""
    found = context.sizes.samples(context.samples, context.seed, context.elements, MOST_ELEMENTS)
    if not found:
        raise InputError("no launch of the context is small enough to be tried, with at most %d elements in all "
                         "arrays together: `sizes` should be ranges that have small ones" % MOST_ELEMENTS)
    return found


def _part(name: str, what: str, d: int) -> str:
    """The parameter of a kernel of cuTile Python that has an extent or a stride of an array."""
    return "%s.%s[%d]" % (name, what, d)


def sizes_at(context: Context, values: Mapping[str, int], tuned: Mapping[str, Any]) -> Optional[Dict[str, int]]:
    """The sizes of a launch whose parameters have these values, by name, with the tuning values that are whole
    numbers. None where it is no launch of the context that is small enough to be tried."""
    given = whole_numbers(tuned)
    stated: List[Tuple[Expression, int]] = []
    for of in context.arguments:
        parts = {_part(of["name"], "shape", d): extent for d, extent in enumerate(of.get("shape", ()))}
        if isinstance(of.get("value"), str) and of["value"] not in tuned:
            parts[of["name"]] = of["value"]
        stated += [(expression, values[name]) for name, expression in parts.items() if name in values]
    sizes = context.sizes.at(stated, given)
    if sizes is None or context.elements({**sizes, **given}) > MOST_ELEMENTS:
        return None
    return {**sizes, **given}


def _strides(of: Mapping[str, Any], shape: Sequence[int], values: Mapping[str, int]) -> Optional[List[int]]:
    """Returns the strides that parameters state; None: the elements lie densely."""
    strides: List[int] = [values.get(_part(of["name"], "stride", d), 0) for d in range(len(shape))]
    behind = [extent * stride for extent, stride in zip(shape[1:], strides[1:])] + [1]
    fits = all(stride >= least for stride, least in zip(strides, behind)) and strides[0] * shape[0] <= MOST_ELEMENTS
    return strides if fits else None


def _contents(of: Mapping[str, Any], n: int, sizes: Mapping[str, int], draw: Any, is_close: bool) -> Any:
    """The elements of an input. Floats are close together where they are to be: a softmax of others takes the
    largest alone."""
    np: Any = importlib.import_module("numpy")
    dtype = np.dtype(of["dtype"])
    if dtype.kind == "f":
        return (draw.uniform(0.125, 0.25, n) if is_close else draw.uniform(-1, 1, n)).astype(dtype)
    low, high = evaluate(of.get("min", 0), sizes), evaluate(of.get("max", 1 if dtype.kind == "b" else 100), sizes)
    least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not least <= low <= high <= most:
        raise InputError("'%s' cannot hold numbers from %d to %d" % (of["name"], low, high))
    if of.get("unique"):
        if high - low + 1 < n:
            raise InputError("'%s' cannot hold %d different numbers from %d to %d"
                             % (of["name"], n, low, high))
        drawn = low + draw.choice(high - low + 1, n, replace=False)
    else:
        drawn = draw.integers(low, high, n, endpoint=True, dtype=np.uint64 if low >= 0 else np.int64)
    return (np.sort(drawn) if of.get("increasing") else drawn).astype(dtype)


def _tolerance(dtype: str, expected: bytes) -> float:
    """Returns the tolerance where none is stated: relative, and absolute for values below 1. If all values are far
    below 1, that would let anything pass, so it is then relative to the largest value, as in the program for references
    in C."""
    np: Any = importlib.import_module("numpy")
    if dtype not in _TOLERANCES:
        return 0.0
    sizes = np.abs(np.frombuffer(expected, dtype=dtype).astype(np.float64))
    largest = float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))
    return float(_TOLERANCES[dtype] * min(1.0, max(largest, _LEAST)))


class Trial:
    """One launch: its arguments as the children take them, with files of their contents."""

    def __init__(self, context: Context, number: int, sizes: Dict[str, int], tuned: Mapping[str, Any],
                 folder: str, values: Optional[Mapping[str, int]] = None) -> None:
        """`values` are those of its parameters, where they were there before the sizes (sizes_at)."""
        np: Any = importlib.import_module("numpy")
        self.number, self.sizes = number, sizes
        draw = np.random.default_rng((context.seed, number))
        self.specs: List[Dict[str, Any]] = []
        for i, of in enumerate(context.arguments):
            if "shape" not in of:
                self.specs.append({"name": of["name"], "value": context.value(of, sizes, tuned),
                                   "constant": "constant" in of})
                continue
            shape = context.shape(of, sizes)
            strides = self._strides_of(of, shape, values)
            n = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
            spec = {"name": of["name"], "dtype": of["dtype"], "shape": shape, "strides": strides,
                    "elements": n, "output": bool(of.get("output"))}
            if not of.get("output") or of.get("inout"):
                spec["file"] = "input%d.%d.bin" % (number, i)
                # Every third launch, so that both kinds meet rows that lie apart and rows that do not.
                _contents(of, n, sizes, draw, number % 3 == 1).tofile(os.path.join(folder, spec["file"]))
            self.specs.append(spec)

    def _strides_of(self, of: Mapping[str, Any], shape: List[int], values: Optional[Mapping[str, int]]) -> List[int]:
        """Rows that lie apart, where the context allows it: as the values say, else every second time."""
        may_lie_apart = bool(of.get("strided")) and not of.get("output") and len(shape) > 1
        if may_lie_apart and values is not None:
            return _strides(of, shape, values) or [*packed(shape)]
        return [*packed(shape[:-1] + [shape[-1] + 3] if may_lie_apart and self.number % 2 == 1 else shape)]

    def _array(self, context: Context, i: int, expected: Mapping[str, bytes]) -> Dict[str, Any]:
        """Returns the array as a launch contract states it, with its contents and expected values."""
        spec, key = self.specs[i], "%d.%d" % (self.number, i)
        of: Dict[str, Any] = {"elements": spec["elements"],
                              "fill": {"file": spec["file"]} if "file" in spec else "undefined"}
        if spec["output"] and context.reference is not None:
            of["reference"] = {"file": "expected%s.bin" % key}
            of["tolerance"] = (_tolerance(spec["dtype"], expected[key]) if context.tolerance is None
                               else context.tolerance)
        return of

    def launch(self, context: Context, symbol: str, names: List[str], expected: Mapping[str, bytes]) -> Launch:
        """Returns the launch as a launch contract states it. `expected`: the values of a reference, by
        "LAUNCH.ARGUMENT"."""
        args: List[Dict[str, Any]] = []
        for i, spec in enumerate(self.specs):
            if "shape" in spec:
                args.append(self._array(context, i, expected))
                args += [{"value": extent} for extent in (*spec["shape"], *spec["strides"])]
            elif not spec["constant"]:
                args.append({"value": spec["value"]})
        grid = [evaluate(extent, self.sizes) for extent in context.grid]
        return {"kernel": symbol, "grid": grid, "parameters": names,
                "args": [{"name": name, **of} for name, of in zip(names, args)]}

    def flat_launch(self, context: Context, grid: Optional[Sequence[Expression]],
                    expected: Mapping[str, bytes]) -> Launch:
        """Like launch(), for a kernel that takes pointers and numbers in the order of the arguments."""
        args: List[Dict[str, Any]] = []
        for i, spec in enumerate(self.specs):
            if "shape" in spec:
                args.append(self._array(context, i, expected))
            elif not spec["constant"]:
                args.append({"value": spec["value"]})
        return {"args": args, **({} if grid is None else {"grid": [evaluate(extent, self.sizes) for extent in grid]})}

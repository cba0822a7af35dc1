"""Launches of a context that are tried: their sizes, with contents that a seed draws."""
from __future__ import annotations

import importlib
import os
from typing import Any, Dict, List, Mapping

from tilerace._arguments import packed
from tilerace._context import MOST_ELEMENTS, Context
from tilerace._judge_sizes import evaluate
from tilerace._results import InputError

Launch = Dict[str, Any]  # as a launch contract states it


def sizes_of(context: Context) -> List[Dict[str, int]]:
    """The sizes of the launches that are tried, all different. InputError: all are too large for that."""
    found = context.sizes.samples(context.samples, context.seed, context.elements, MOST_ELEMENTS)
    if not found:
        raise InputError("no launch of the context is small enough to be tried, with at most %d elements in all "
                         "arrays together: `sizes` should be ranges that have small ones" % MOST_ELEMENTS)
    return found


def _contents(of: Mapping[str, Any], n: int, sizes: Mapping[str, int], draw: Any) -> Any:
    """The elements of an input."""
    np: Any = importlib.import_module("numpy")
    dtype = np.dtype(of["dtype"])
    if dtype.kind == "f":
        return draw.uniform(-1, 1, n).astype(dtype)
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


class Trial:
    """One launch: its arguments as the children take them, with files of their contents."""

    def __init__(self, context: Context, number: int, sizes: Dict[str, int], tuned: Mapping[str, Any],
                 folder: str) -> None:
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
            # Rows that lie apart every second time, where the context allows it.
            apart = bool(of.get("strided")) and not of.get("output") and number % 2 == 1 and len(shape) > 1
            strides = packed(shape[:-1] + [shape[-1] + 3]) if apart else packed(shape)
            n = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
            spec = {"name": of["name"], "dtype": of["dtype"], "shape": shape, "strides": strides,
                    "elements": n, "output": bool(of.get("output"))}
            if not of.get("output") or of.get("inout"):
                spec["file"] = "input%d.%d.bin" % (number, i)
                _contents(of, n, sizes, draw).tofile(os.path.join(folder, spec["file"]))
            self.specs.append(spec)

    def launch(self, context: Context, symbol: str, names: List[str]) -> Launch:
        """As a launch contract states it, with contents and what the outputs have to hold."""
        args: List[Dict[str, Any]] = []
        for i, spec in enumerate(self.specs):
            if "shape" in spec:
                args.append({"elements": spec["elements"],
                             "fill": {"file": spec["file"]} if "file" in spec else "undefined"})
                if spec["output"] and context.reference is not None:
                    args[-1]["reference"] = {"file": "expected%d.%d.bin" % (self.number, i)}
                    if context.tolerance is not None:
                        args[-1]["tolerance"] = context.tolerance
                    else:
                        args[-1]["tolerance"] = {"float16": 1e-2, "float32": 1e-4,
                                                 "float64": 1e-12}.get(spec["dtype"], 0)
                args += [{"value": extent} for extent in (*spec["shape"], *spec["strides"])]
            elif not spec["constant"]:
                args.append({"value": spec["value"]})
        grid = [evaluate(extent, self.sizes) for extent in context.grid]
        return {"kernel": symbol, "grid": grid, "parameters": names,
                "args": [{"name": name, **of} for name, of in zip(names, args)]}

"""Launch contracts: states all launches of a context that a module is compiled for."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from tilerace._context import Context, whole_numbers
from tilerace._judge_built import Module
from tilerace._judge_sizes import Expression, affine, renamed


def parameters(context: Context) -> List[str]:
    """Returns the names of the parameters that the module has."""
    names: List[str] = []
    for of in context.arguments:
        if "shape" in of:
            rank = len(of["shape"])
            names.append(of["name"])
            names += ["%s.shape[%d]" % (of["name"], d) for d in range(rank)]
            names += ["%s.stride[%d]" % (of["name"], d) for d in range(rank)]
        elif "value" in of:
            names.append(of["name"])
    return names


def _solved(parameter: str, factor: int, offset: int) -> str:
    """The size that a parameter holds as factor * size + offset."""
    behind = parameter if offset == 0 else "(%s %s %d)" % (parameter, "-" if offset > 0 else "+", abs(offset))
    return behind if factor == 1 else "(%s / %d)" % (behind, factor)


def _names_of_sizes(context: Context, parts: Sequence[Tuple[str, Expression]]) -> Dict[str, str]:
    """Expresses each size by the parameters that hold these expressions. A size that they do not determine is left
    out."""
    names: Dict[str, str] = {}
    for parameter, expression in sorted(parts, key=lambda part: part[1] not in context.sizes.ranges):
        of_size = affine(expression)
        if of_size is not None and of_size[0] in context.sizes.ranges:
            names.setdefault(of_size[0], _solved(parameter, *of_size[1:]))
    return names


def _numbers(context: Context) -> List[Tuple[str, Expression]]:
    return [(of["name"], of["value"]) for of in context.arguments if isinstance(of.get("value"), str)]


def _extents(context: Context) -> List[Tuple[str, Expression]]:
    return [("%s.shape[%d]" % (of["name"], d), extent) for of in context.arguments
            for d, extent in enumerate(of.get("shape", ()))]


def _facts_of_array(of: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[str, str]) -> List[str]:
    """Returns facts about an array: its extents, its strides, and what the front end has fixed of them for these
    launches."""
    facts: List[str] = []
    name, rank = of["name"], len(of["shape"])
    for d in range(rank):
        parts = {"shape": "%s.shape[%d]" % (name, d), "stride": "%s.stride[%d]" % (name, d)}
        extent = renamed(of["shape"][d], names)
        if extent is not None and extent != parts["shape"]:
            facts.append("%s == %s" % (parts["shape"], extent))
        if not of.get("strided"):
            behind = " * ".join("%s.shape[%d]" % (name, k) for k in range(d + 1, rank)) or "1"
            facts.append("%s == %s" % (parts["stride"], behind))
        for what, part in parts.items():
            constant, divisor = known[what + "_constant"][d], known[what + "_divisible_by"][d]
            if constant is not None:
                facts.append("%s == %d" % (part, constant))
            elif divisor and divisor > 1:
                facts.append("%s %% %d == 0" % (part, divisor))
    return facts


def _contents_of(of: Mapping[str, Any], names: Mapping[str, str]) -> Dict[str, Any]:
    """Returns what is stated of the elements of an array; {}: nothing."""
    limits = {key: renamed(of[key], names) for key in ("min", "max") if key in of}
    stated: Dict[str, Any] = {key: value for key, value in limits.items() if value is not None}
    stated.update({key: True for key in ("unique", "increasing") if of.get(key)})
    return {"buffer": of["name"], **stated} if stated else {}


def _facts_of_number(of: Mapping[str, Any], names: Mapping[str, str]) -> List[str]:
    if type(of.get("value")) is int:
        return ["%s == %d" % (of["name"], of["value"])]
    value = renamed(of["value"], names) if isinstance(of.get("value"), str) else None
    return [] if value in (None, of["name"]) else ["%s == %s" % (of["name"], value)]


def flat_launch_of(context: Context, grid: Optional[Sequence[Expression]]) -> Dict[str, Any]:
    """Returns all launches of the context, for a kernel that takes pointers and numbers of these names."""
    numbers = [of for of in context.arguments if "value" in of]
    names = _names_of_sizes(context, _numbers(context))
    arrays = [of for of in context.arguments if "shape" in of]
    launch: Dict[str, Any] = {"assume": context.sizes.facts(names) + sum(
        (_facts_of_number(of, names) for of in numbers), [])}
    contents = [stated for stated in (_contents_of(of, names) for of in arrays) if stated]
    extents = [renamed(extent, names) for extent in grid or ()]
    if extents and None not in extents:
        launch["grid"] = extents
    return {**launch, **({"contents": contents} if contents else {})}


def launch_of(context: Context, module: Module, tuned: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns all launches of the context that the module is compiled for, as a launch contract."""
    sizes = _names_of_sizes(context, _extents(context) + _numbers(context))
    names = {**sizes, **{key: str(value) for key, value in whole_numbers(tuned).items()}}
    facts, contents = context.sizes.facts(sizes), []
    for of, known in zip(context.arguments, module.known):
        if "shape" in of:
            facts += _facts_of_array(of, known, names)
            stated = _contents_of(of, names)
            if stated:
                contents.append(stated)
        else:
            facts += _facts_of_number(of, names)
    launch: Dict[str, Any] = {"kernel": module.symbol, "parameters": parameters(context), "assume": facts,
                              "args": [{"name": name} for name in parameters(context)]}
    grid = [renamed(extent, names) for extent in context.grid]
    if None not in grid:
        launch["grid"] = grid
    if contents:
        launch["contents"] = contents
    return launch

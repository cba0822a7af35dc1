"""All launches of a context that a module of it is compiled for, as a launch contract."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping

from tilerace._context import Context, whole_numbers
from tilerace._judge_built import Module
from tilerace._judge_sizes import renamed


def parameters(context: Context) -> List[str]:
    """Of the parameters that the module has."""
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


def _names_of_sizes(context: Context) -> Dict[str, str]:
    """A parameter that holds each size, for those that have one."""
    names: Dict[str, str] = {}
    for of in context.arguments:
        for d, extent in enumerate(of.get("shape", ())):
            names.setdefault(str(extent), "%s.shape[%d]" % (of["name"], d))
        if isinstance(of.get("value"), str):
            names.setdefault(of["value"], of["name"])
    return {size: name for size, name in names.items() if size in context.sizes.ranges}


def _facts_of_array(of: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[str, str]) -> List[str]:
    """Its extents, strides, and what the front end has fixed of them for these launches."""
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


def launch_of(context: Context, module: Module, tuned: Mapping[str, Any]) -> Dict[str, Any]:
    """All launches of the context that the module is compiled for, as a launch contract."""
    sizes = _names_of_sizes(context)
    names = {**sizes, **{key: str(value) for key, value in whole_numbers(tuned).items()}}
    facts, contents = context.sizes.facts(sizes), []
    for of, known in zip(context.arguments, module.known):
        if "shape" in of:
            facts += _facts_of_array(of, known, names)
            limits = {key: renamed(of[key], names) for key in ("min", "max") if key in of}
            stated: Dict[str, Any] = {key: value for key, value in limits.items() if value is not None}
            stated.update({key: True for key in ("unique", "increasing") if of.get(key)})
            if stated:
                contents.append({"buffer": of["name"], **stated})
        elif type(of.get("value")) is int:
            facts.append("%s == %d" % (of["name"], of["value"]))
        elif isinstance(of.get("value"), str):
            value = renamed(of["value"], names)
            if value is not None and value != of["name"]:
                facts.append("%s == %s" % (of["name"], value))
    launch: Dict[str, Any] = {"kernel": module.symbol, "parameters": parameters(context), "assume": facts,
                              "args": [{"name": name} for name in parameters(context)]}
    grid = [renamed(extent, names) for extent in context.grid]
    if None not in grid:
        launch["grid"] = grid
    if contents:
        launch["contents"] = contents
    return launch

"""Sizes of a context's launches: expressions over them, and which of them are tried."""
from __future__ import annotations

import ast
import math
import random
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from tilerace._results import InputError

Expression = Union[int, str]

_FUNCTIONS: Dict[str, Callable[..., int]] = {
    "cdiv": lambda a, b: -(-a // b), "min": min, "max": max}
MOST_COMBINATIONS = 4096  # of tuning values
_MOST = 1 << 31  # of a size whose largest value is not stated
_PRIMES = (2, 3, 5, 7, 13, 31, 61, 127, 257, 509, 1021, 4093, 8191)


def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError("'%s' is not an expression over sizes" % text) from error


def _value(node: ast.expr, sizes: Mapping[str, int], text: str) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name) and node.id in sizes:
        return sizes[node.id]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        function = _FUNCTIONS.get(node.func.id)
        if function is not None and len(node.args) == 2:
            return function(*(_value(arg, sizes, text) for arg in node.args))
    if isinstance(node, ast.BinOp):
        a, b = _value(node.left, sizes, text), _value(node.right, sizes, text)
        if isinstance(node.op, ast.Add):
            return a + b
        if isinstance(node.op, ast.Sub):
            return a - b
        if isinstance(node.op, ast.Mult):
            return a * b
        if isinstance(node.op, (ast.Div, ast.Mod)) and b > 0 and a >= 0:
            return a // b if isinstance(node.op, ast.Div) else a % b
    raise InputError("'%s' is not an expression over sizes: numbers, sizes, + - * / %%, cdiv, min and max"
                     % text)


def evaluate(expression: Expression, sizes: Mapping[str, int]) -> int:
    """Returns the expression's value. Raises InputError where it has none."""
    if isinstance(expression, int) and not isinstance(expression, bool):
        return expression
    if not isinstance(expression, str):
        raise InputError("a size is a whole number or an expression, not %r" % (expression,))
    return _value(_tree(expression), sizes, expression)


def names_in(expression: Expression) -> List[str]:
    """The names that it has, but those of functions."""
    if not isinstance(expression, str):
        return []
    return sorted({node.id for node in ast.walk(_tree(expression)) if isinstance(node, ast.Name)} - set(_FUNCTIONS))


def renamed(expression: Expression, names: Mapping[str, str]) -> Union[int, str, None]:
    """Returns the expression over other names, as launch contracts write it; None where a name has no other one."""
    if not isinstance(expression, str):
        return expression

    def text(node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return "%s(%s)" % (node.func.id, ", ".join(map(text, node.args)))
        if isinstance(node, ast.BinOp):
            operators: Dict[Any, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
                                         ast.Mod: "%"}
            return "(%s %s %s)" % (text(node.left), operators[type(node.op)], text(node.right))
        return str(getattr(node, "value", 0))

    try:
        return text(_tree(expression))
    except KeyError:
        return None


def affine(expression: Expression) -> Optional[Tuple[str, int, int]]:
    """(name, factor, offset) of an expression that is factor * name + offset, with a factor above 0; else None."""
    names = names_in(expression)
    if not isinstance(expression, str) or len(names) != 1:
        return None
    tree = _tree(expression)
    if not all(isinstance(node, (ast.Name, ast.Constant, ast.expr_context, ast.operator)) or (
            isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult))) for node in ast.walk(tree)):
        return None
    # A polynomial of one name, whose degree the number of its names bounds.
    at = [evaluate(expression, {names[0]: i}) for i in range(sum(isinstance(n, ast.Name) for n in ast.walk(tree)) + 2)]
    factor = at[1] - at[0]
    return (names[0], factor, at[0]) if factor > 0 and all(b - a == factor for a, b in zip(at, at[1:])) else None


class Sizes:
    """{"n": {"min": 1, "max": 1000}, "m": [64, 128]}"""

    def __init__(self, stated: Mapping[str, Any], most_tried: int) -> None:
        self.ranges: Dict[str, Any] = {}
        self.most_tried = most_tried
        for name, value in stated.items():
            self.ranges[name] = self._range(name, value)

    @staticmethod
    def _range(name: str, value: Any) -> Any:
        if isinstance(value, list) and value and all(type(v) is int and v > 0 for v in value):
            return value
        if isinstance(value, dict) and set(value) <= {"min", "max"}:
            low, high = value.get("min", 1), value.get("max", _MOST)
            if type(low) is int and type(high) is int and 0 < low <= high:
                return (low, high)
        raise InputError("sizes.%s is a list of whole numbers from 1, or min and max" % name)

    def facts(self, names: Mapping[str, str]) -> List[str]:
        """Returns what is stated of the sizes, as conditions of a launch contract."""
        facts = []
        for name, stated in self.ranges.items():
            if name not in names:
                continue
            low, high = (min(stated), max(stated))
            facts += ["%s >= %d" % (names[name], low), "%s <= %d" % (names[name], high)]
            if isinstance(stated, list):
                facts.append(" || ".join("%s == %d" % (names[name], v) for v in stated))
        return facts

    def _values(self, name: str) -> List[int]:
        """Returns the values to try for one size: its ends, primes, powers of two and their neighbours."""
        stated = self.ranges[name]
        if isinstance(stated, list):
            return stated
        low, high = stated
        near = [low, low + 1, *_PRIMES]
        near += [power + d for power in (16, 64, 128, 256, 1024, 2048) for d in (-1, 0, 1)]
        near.append(min(high, self.most_tried))
        return sorted({value for value in near if low <= value <= min(high, self.most_tried)}) or [low]

    def samples(self, n: int, seed: int, elements: Callable[[Dict[str, int]], int],
                most_elements: int) -> List[Dict[str, int]]:
        """Combinations, all different: the smallest, one whose powers of two and tiles divide evenly,
        and others that the seed draws. None holds more elements than that."""
        draw = random.Random(seed)
        names = sorted(self.ranges)
        found = [{name: self._values(name)[0] for name in names}]
        if names:
            found.append({name: 128 if 128 in self._values(name) else self._values(name)[-1]
                          for name in names})
        for _ in range(40 * n):
            if len(found) >= 4 * n:
                break
            found.append({name: draw.choice(self._values(name)) for name in names})
        kept: List[Dict[str, int]] = []
        for sizes in found:
            if sizes not in kept and elements(sizes) <= most_elements:
                kept.append(sizes)
        return kept[:n]

    def at(self, stated: Sequence[Tuple[Expression, int]], given: Mapping[str, int]) -> Optional[Dict[str, int]]:
        """Sizes at which the expressions have those values, beside names whose values are given; those that none of
        them says anything of are the smallest. None where there are none within what is stated of sizes."""
        found: Dict[str, int] = {}
        while True:
            found_before = len(found)
            for expression, value in stated:
                open_ = [name for name in names_in(expression) if name in self.ranges and name not in found]
                if len(open_) == 1:
                    size = self._solved(open_[0], expression, value, {**given, **found})
                    if size is None:
                        return None
                    found[open_[0]] = size
            if len(found) == found_before:
                break
        sizes = {name: found[name] if name in found else self._values(name)[0] for name in sorted(self.ranges)}
        known = {**given, **sizes}
        return sizes if all(evaluate(expression, known) == value for expression, value in stated) else None

    def _solved(self, name: str, expression: Expression, value: int, known: Mapping[str, int]) -> Optional[int]:
        """The size of that name at which the expression has the value."""
        stated = self.ranges[name]
        if expression == name:
            allowed = value in stated if isinstance(stated, list) else stated[0] <= value <= stated[1]
            return value if allowed else None
        tried = stated if isinstance(stated, list) else range(stated[0], min(stated[1], self.most_tried) + 1)
        return next((size for size in tried if evaluate(expression, {**known, name: size}) == value), None)


def values_of(name: str, stated: Any) -> List[Any]:
    """Returns the values of a tuning parameter, stated as a list or as {"from": 1, "to": 4, "step": 1}. Raises
    InputError for anything else."""
    if isinstance(stated, dict) and {"from", "to"} <= set(stated) <= {"from", "to", "step"} and all(
            type(value) is int for value in stated.values()) and stated.get("step", 1) > 0:
        values: List[Any] = list(range(stated["from"], stated["to"] + 1, stated.get("step", 1))[:MOST_COMBINATIONS + 1])
    else:
        values = list(stated) if isinstance(stated, (list, tuple)) else []
    if not values or not all(isinstance(value, (bool, int, str)) or (
            isinstance(value, float) and math.isfinite(value)) for value in values):
        raise InputError("tune.%s is a list of values, or from, to and step" % name)
    return values


def products(tuned: Mapping[str, Sequence[Any]]) -> List[Dict[str, Any]]:
    """Returns all combinations of tuning values, the last name's changing first. Raises InputError if there are too
    many."""
    if math.prod(map(len, tuned.values())) > MOST_COMBINATIONS:
        raise InputError("tune has more than %d combinations" % MOST_COMBINATIONS)
    found: List[Dict[str, Any]] = [{}]
    for name, values in tuned.items():
        found = [{**before, name: value} for before in found for value in values]
    return found

"""Contexts of cuTile Python with one value exchanged: what the schema refuses is an InputError, and what it
takes is never another exception.

    test_context.py BUILD_FOLDER

The Python that runs it has jsonschema.
"""
import copy
import json

import jsonschema
from common import ROOT, Case, main

from tilerace import _context, _judge_sizes
from tilerace._results import InputError

SCHEMA = json.loads((ROOT / "docs" / "judge-context-python.schema.json").read_text())
CONTEXT = {
    "version": 1, "kernel": {"source": "import cuda.tile", "name": "k"},
    "sizes": {"n": {"min": 1, "max": 100}, "m": [1, 2]}, "grid": ["cdiv(n, BM)", 1],
    "arguments": [{"name": "x", "dtype": "float32", "shape": ["n", 16], "strided": True},
                  {"name": "i", "dtype": "int32", "shape": ["n"], "min": 0, "max": "n - 1", "unique": True},
                  {"name": "y", "dtype": "float32", "shape": ["n", 16], "output": True, "inout": True},
                  {"name": "s", "value": 2.0}, {"name": "BM", "constant": "BM"}],
    "reference": "plain.py:f", "tolerance": 1e-3, "samples": 4, "stages": ["races", "agrees"], "seed": 3, "tune": {"BM": [16, 32]},
    "limits": {"seconds": 10, "megabytes": 100, "scratch_megabytes": 10}, "trusted": False,
}
OTHERS = (None, True, 0, -1, 1, 7, 1.5, 1e300, float("inf"), float("nan"), 1 << 70, "", "n", "n - 200", "x.py", "f()",
          "(" * 500, "1" + "+1" * 400, [], [None], [[]], ["n"], [1, "n"], [1] * 9, {}, {"min": 5, "max": 1}, {"a": 1},
          {"file": "none.py"}, {"from": 1, "to": 3}, {"from": 1, "to": 0}, {"from": 0, "to": 1 << 40}, {"step": 0})


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, of in items:
        yield from places(of, (*path, key))


def exchanged(path, other):
    """The context with another value there; or without what is there."""
    context = copy.deepcopy(CONTEXT)
    of = context
    for key in path[:-1]:
        of = of[key]
    if other is exchanged:
        del of[path[-1]]
    else:
        of[path[-1]] = other
    return context


def use(context):
    """As a judgement does, without NumPy."""
    of = _context.Context(context, "/nowhere")
    for tuned in _judge_sizes.products(of.tune)[:4]:
        for sizes in of.sizes.samples(of.samples, of.seed, of.elements, _context.MOST_ELEMENTS):
            for argument in of.arguments:
                if "shape" in argument:
                    of.shape(argument, sizes)
                else:
                    of.value(argument, sizes, tuned)


class Contexts(Case):
    def test_good(self):
        use(CONTEXT)
        jsonschema.validate(CONTEXT, SCHEMA)

    def test_each_value_exchanged(self):
        validator = jsonschema.Draft202012Validator(SCHEMA)
        refused = 0
        for path in places(CONTEXT):
            for other in (*OTHERS, exchanged) if path else ():
                context = exchanged(path, other)
                valid = validator.is_valid(context)
                refused += not valid
                with self.subTest(path=path, other=str(other)[:40]):
                    if not valid or other in (float("inf"),) or other != other:
                        with self.assertRaises(InputError):
                            use(context)
                        continue
                    try:
                        use(context)
                    except InputError:
                        pass
        self.assertGreater(refused, 500)

    def test_no_objects(self):
        for context in ([], "x", 3, None):
            with self.assertRaises(InputError):
                _context.Context(context, ".")

    def test_unknown_keys(self):
        for path in ((), ("kernel",), ("arguments", 0), ("limits",)):
            with self.subTest(path), self.assertRaisesRegex(InputError, "is not a key"):
                use(exchanged((*path, "other"), 1))

    def test_too_many_combinations(self):
        context = {**CONTEXT, "tune": {"BM": {"from": 1, "to": 100}, "BN": {"from": 1, "to": 100}}}
        with self.assertRaisesRegex(InputError, "4096"):
            use(context)

    def test_what_is_python(self):
        for kernel, is_python in (("a.py", True), ("a.c", False), ({"file": "a.py"}, True), ({"source": 3}, False),
                                  ({"source": "import cuda.tile as ct"}, True), (3, False), (None, False), ([], False)):
            self.assertEqual(_context.is_python(kernel), is_python, kernel)


if __name__ == "__main__":
    main()

"""Lists of arrays that a launch contract states: each launch is decided as it is.

    test_tables.py TILERACE

The oracle is Python's own arithmetic: which bytes each tile block of copy_list loads and stores.
"""

import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).parents[2]
COPY, GEMM = (str(ROOT / "kernels/python" / name) for name in ("copy_list.tilebc", "group_gemm.tilebc"))
WIDTH = 16


def entry(buffer, at=0, extents=(64,), strides=None):
    made = {"extents": list(extents)}
    if buffer:
        made |= {"buffer": buffer, "byte_offset": at}
    if strides:
        made["strides"] = list(strides)
    return made


def check(module, grid, args, form="json", **more):
    launch = {"grid": grid, "args": args, **more}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "launch.json"
        path.write_text(json.dumps({"version": 2, "launches": [launch]}))
        return subprocess.run([TILERACE, "check", "--format", form, "--launch", path, module],
                              capture_output=True, text=True, check=False)


def copy_args(source, target):
    return [{"name": "source", "table": source}, {"name": "n", "value": len(source)},
            {"name": "target", "table": target}, {"name": "m", "value": len(target)}]


class Tables(unittest.TestCase):
    def verdict(self, run):
        read = json.loads(run.stdout)["inputs"][0]
        self.assertEqual(read["status"], "checked", read)
        return read["kernels"][0]["verdict"]

    def copy(self, source, target, grid=None):
        return self.verdict(check(COPY, grid or [len(source), 4], copy_args(source, target)))

    def refuse(self, words, table, **more):
        args = copy_args([entry("a")], [entry("b")])
        args[2]["table"] = table
        run = check(COPY, [1, 4], [{**args[0], **more}, *args[1:]], form="text")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn(words, run.stdout + run.stderr)

    def test_one_array_twice(self):
        a, b, c, d = (entry(name) for name in "abcd")
        self.assertEqual(self.copy([a, b], [c, d]), "race-free")
        self.assertEqual(self.copy([a, a], [c, d]), "race-free")  # only read
        self.assertEqual(self.copy([a, b], [c, c]), "race")
        self.assertEqual(self.copy([a, b, a], [c, d, c], [2, 4]), "race-free")  # beyond the grid
        self.assertEqual(self.copy([a, b], [b, a]), "race")
        self.assertEqual(self.copy([a, b], [a, b]), "race")  # no token: they are two lists
        run = check(COPY, [3, 4], copy_args([a, b, a], [c, d, c]), form="text")
        self.assertIn("(0, 0, 0) stores target[0][0]", run.stdout)
        self.assertIn("(2, 0, 0) stores target[2][0]", run.stdout)

    def test_parts_of_one_array(self):
        for at, expected in ((256, "race-free"), (240, "race"), (0, "race"), (4096, "race-free")):
            self.assertEqual(self.copy([entry("a"), entry("b")], [entry("c"), entry("c", at)]),
                             expected, at)

    def test_lists_at_the_edges(self):
        a = entry("a")
        self.assertEqual(self.copy([a], [entry("b")]), "race-free")
        self.assertEqual(self.copy([], [], [0]), "race-free")
        run = check(COPY, [1, 4], copy_args([], []), form="text")
        self.assertIn("[TR007]", run.stdout)  # no entry 0
        self.assertEqual(self.copy([a, entry("a")], [entry("b"), entry(None, 0, [0])], [1, 4]),
                         "race-free")
        self.assertNotEqual(self.copy([a, a], [entry("b"), entry(None)]), "race-free")

    def test_against_all_bytes(self):
        chance, seen = random.Random(5), set()
        for _ in range(60):
            n = chance.randint(1, 3)
            arrays = [[entry(chance.choice("ab"), 16 * chance.randint(0, 24), [16 * chance.randint(1, 4)])
                       for _ in range(n)] for _ in range(2)]
            grid = [n, max(1, min(array["extents"][0] // WIDTH for part in arrays for array in part))]
            expected = "race" if races(*arrays, grid) else "race-free"
            self.assertEqual(self.copy(*arrays, grid), expected, (arrays, grid))
            seen.add(expected)
        self.assertEqual(len(seen), 2)

    def gemm(self, *targets):
        out = [entry(*target) for target in targets]
        left = [entry("l", 0, (64, 64))] * len(out)
        args = [{"name": "left", "table": left}, {"name": "nl", "value": len(out)},
                {"name": "right", "table": left}, {"name": "nr", "value": len(out)},
                {"name": "out", "table": out}, {"name": "no", "value": len(out)},
                {"name": "groups", "value": len(out)}]
        return self.verdict(check(GEMM, [2], args))

    def test_rows_and_columns(self):
        shape = (64, 64)
        self.assertEqual(self.gemm(("a", 0, shape), ("b", 0, shape)), "race-free")
        self.assertEqual(self.gemm(("a", 0, shape), ("a", 0, shape)), "race")
        self.assertEqual(self.gemm(("a", 0, shape, (128, 1)), ("a", 128, shape, (128, 1))),
                         "race-free")
        self.assertEqual(self.gemm(("a", 0, shape, (128, 1)), ("a", 112, shape, (128, 1))), "race")

    def test_what_is_refused(self):
        self.refuse("`extents` is missing", [{"buffer": "b"}])
        self.refuse("not negative", [entry("b", 0, [-1])])
        self.refuse("one rank", [entry("b"), entry("c", 0, [4, 4])])
        self.refuse("has 1 dimensions", [entry("b", 0, [4], [1, 1])])
        self.refuse("at most 8 dimensions", [entry("b", 0, [1] * 9)])
        self.refuse("no array begins there", [entry("b", -4)])
        self.refuse("`dtype` has to be there", [{"buffer": "b", "offset": 1, "extents": [4]}])
        self.refuse("not both", [{**entry("b", 4), "offset": 1, "dtype": "f32"}])
        self.refuse("a null pointer has no offset", [{"byte_offset": 8, "extents": [4]}])
        self.refuse("a number of 64 bits", [entry("b", 0, ["9223372036854775808"])])
        self.refuse("a number of 64 bits", [entry("b", 0, ["n"])])
        self.refuse("must be an object", [3])
        self.refuse("unknown key", [{**entry("b"), "bufer": "b"}])
        self.refuse("longer than the buffer", [entry("b")], elements=2)
        run = check(COPY, [1, 4], copy_args([entry("a")], [entry("b")]),
                    contents=[{"buffer": "target", "values": [1, 2, 3]}], form="text")
        self.assertIn("stated already", run.stdout + run.stderr)


def bytes_of(array, i):
    start = array["byte_offset"] + 4 * WIDTH * i
    end = array["byte_offset"] + 4 * array["extents"][0]
    return {(array["buffer"], at) for at in range(start, min(end, start + 4 * WIDTH))}


def races(source, target, grid):
    blocks = [(bytes_of(source[k], i), bytes_of(target[k], i))
              for k, i in itertools.product(range(grid[0]), range(grid[1]))]
    if any(loads & stores for loads, stores in blocks):
        return True  # no token orders the two
    return any(a[1] & (b[0] | b[1]) for a, b in itertools.permutations(blocks, 2))


if __name__ == "__main__":
    unittest.main()

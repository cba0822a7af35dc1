"""python3 -m tilerace judge: which launches are tried where the reference is a function of Python. Kernels that are
wrong at few sizes, which no list of usual ones has: the solver of `tilerace judge` gives them.

    test_judge_launches.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy.
"""

import json
import os
import subprocess
import sys

from common import BUILD, PACKAGE, Case, main

# ---- cuTile Python ----

PYTHON = """
import cuda.tile as ct


@ct.kernel
def add(a, b, c, TILE: ct.Constant[int]):
    i = ct.bid(0)
    n, m = a.shape[0], b.shape[0]
    left = ct.load(a, index=(i,), shape=(TILE,), padding_mode=ct.PaddingMode.ZERO)
    right = ct.load(b, index=(0,), shape=(4,), padding_mode=ct.PaddingMode.ZERO)
    if %s:
        ct.store(c, index=(i,), tile=left)
    else:
        ct.store(c, index=(i,), tile=left + ct.sum(right))
"""
REFERENCE = "def add(a, b, c, *_):\n    return a + b.sum()\n\n\ndef scale(x, y):\n    return 2 * x\n"
CONTEXT = {
    "kernel": "candidate.py",
    "sizes": {"n": {"min": 1, "max": 20000}, "m": {"min": 1, "max": 4}},
    "arguments": [{"name": "a", "dtype": "float32", "shape": ["n"]}, {"name": "b", "dtype": "float32", "shape": ["m"]},
                  {"name": "c", "dtype": "float32", "shape": ["n"], "output": True}, {"name": "TILE", "constant": 64}],
    "grid": ["cdiv(n, 64)"],
    "reference": "plain.py:add",
}
NEVER = "n < 0"
RARELY = {
    "one size": "n == 3001",
    "a size that no text has": "n == 41 * 61 + 3 * TILE",
    "a square": "n == 53 * 53",
    "a product of two": "n * m == 4 * 2003",
    "a distance from a tile": "n - 64 * i == 17 and n > 64 * 23 and n < 64 * 25",
    "a range of sizes": "n > 5000 and n < 5010",
    "an equation of two": "n == 37 * m + 911",
    "one tile block of one size": "i * 7 + 1605 == n",
    "a remainder": "n % 1999 == 1444",
    "sizes that 16 divides": "n == 3008",
}

# ---- C ----

DIALECT = """#include <tile.h>

tile_kernel void add(const float *a, const float *b, float *c, int n, int m)
{
    tile_grid(tile_cdiv(n, 64));
    tile_assume(n > 0);
    tile_assume(m > 0);
    tile_extent(a, n);
    tile_extent(b, n);
    tile_extent(c, n);
    tile_view in_a = tile_partition(tile_tensor(a, n), 64);
    tile_view in_b = tile_partition(tile_tensor(b, n), 64);
    tile_view out = tile_partition(tile_tensor(c, n), 64);
    int i = tile_bid(0);
    if (%s)
        tile_store(out, tile_load(in_a, i), i);
    else
        tile_store(out, tile_load(in_a, i) + tile_load(in_b, i), i);
}
"""
CONTEXT_IN_C = {
    "kernel": "candidate.c",
    "sizes": CONTEXT["sizes"],
    "arguments": [{"name": name, "dtype": "float32", "shape": ["n"], **({"output": True} if name == "c" else {})}
                  for name in "abc"] + [{"name": "n", "value": "n"}, {"name": "m", "value": "m"}],
    "reference": "plain.py:plus",
}
REFERENCE_IN_C = "def plus(a, b, c, n, m):\n    return a + b\n"


class Launches(Case):
    def judge(self, context, source, **more):
        """By the command, all of it in files."""
        os.makedirs(self.folder, exist_ok=True)
        for name, text in ((context["kernel"], source), ("plain.py", REFERENCE + "\n\n" + REFERENCE_IN_C),
                           ("context.json", json.dumps({**context, **more}))):
            (self.folder / name).write_text(text)
        run = subprocess.run([sys.executable, "-m", "tilerace", "judge", "--format", "json", "context.json"],
                             cwd=self.folder, capture_output=True, text=True, check=False,
                             env={**os.environ, "PYTHONPATH": str(PACKAGE), "TILERACE_PROGRAM": str(BUILD / "tilerace")})
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)["tilerace"]

    def tried(self, own):
        return next(of["launches"] for of in own["stages"] if of["stage"] == "agrees")

    def expect_wrong(self, context, source, name):
        for seed in (1, 2):
            with self.subTest(name, seed=seed):
                own = self.judge(context, source, seed=seed)
                self.assertEqual(own["class"], "wrong-result", own["feedback"])

    def test_python(self):
        for name, condition in RARELY.items():
            self.expect_wrong(CONTEXT, PYTHON % condition, name)

    def test_c(self):
        for name, condition in RARELY.items():
            if "TILE" not in condition:
                self.expect_wrong(CONTEXT_IN_C, DIALECT % condition.replace("and", "&&"), name)

    def test_right(self):
        """Half as many again as are drawn, or fewer, and none twice."""
        for context, source in ((CONTEXT, PYTHON), (CONTEXT_IN_C, DIALECT)):
            with self.subTest(context["kernel"]):
                own = self.judge(context, source % NEVER)
                self.assertEqual((own["class"], own["score"]), ("passed", 1), own["feedback"])
                self.assertGreater(self.tried(own), 8)
                self.assertEqual(own, self.judge(context, source % NEVER))

    def test_outside_of_the_context(self):
        """What is wrong at sizes that the context excludes is not looked for there."""
        for sizes in ({"n": {"max": 3000}, "m": [1, 2]}, {"n": [7, 64, 3002], "m": [4]}):
            own = self.judge(CONTEXT, PYTHON % RARELY["one size"], sizes=sizes)
            self.assertEqual(own["class"], "passed", own["feedback"])

    def test_sizes_in_expressions(self):
        """No parameter has the size itself: it is solved for."""
        arguments = [{**of, **({"shape": ["2 * n + 1"]} if of.get("shape") == ["n"] else {})}
                     for of in CONTEXT["arguments"]]
        own = self.judge(CONTEXT, PYTHON % RARELY["one size"], arguments=arguments, grid=["cdiv(2 * n + 1, 64)"])
        self.assertEqual(own["class"], "wrong-result", own["feedback"])

    def test_strides(self):
        """Rows that lie apart by what the solver says."""
        source = """
import cuda.tile as ct


@ct.kernel
def scale(x, y):
    i = ct.bid(0)
    tile = ct.load(x, index=(i, 0), shape=(1, 16))
    if x.strides[0] == 1777:
        ct.store(y, index=(i, 0), tile=tile)
    else:
        ct.store(y, index=(i, 0), tile=tile * 2.0)
"""
        context = {"kernel": "candidate.py", "sizes": {"n": {"max": 100}}, "grid": ["n"], "reference": "plain.py:scale",
                   "arguments": [{"name": "x", "dtype": "float32", "shape": ["n", 16], "strided": True},
                                 {"name": "y", "dtype": "float32", "shape": ["n", 16], "output": True}]}
        own = self.judge(context, source)
        self.assertEqual(own["class"], "passed", own["feedback"])


if __name__ == "__main__":
    main()

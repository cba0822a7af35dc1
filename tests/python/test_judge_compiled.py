"""tilerace.judge(): candidates in C and in bytecode whose reference is a function over NumPy arrays.

    test_judge_compiled.py BUILD_FOLDER

The Python that runs it has numpy.
"""

import json
import os
import subprocess
import time

import numpy as np

from common import BUILD, Case, main

import tilerace

os.environ["TILERACE_PROGRAM"] = str(BUILD / "tilerace")

SOURCE = """#include <tile.h>

tile_kernel void scale(const float *x, const int *row, float *y, int n, int m)
{
    tile_grid(n);
    tile_assume(n > 0);
    tile_assume(m > 0);
    tile_extent(x, n * m);
    tile_extent(row, n);
    tile_extent(y, n * m);
    tile_view in = tile_partition(tile_tensor(x, n, m), 1, 16);
    tile_view out = tile_partition(tile_tensor(y, n, m), 1, 16);
    int i = tile_bid(0);
    for (int k = 0; k < tile_cdiv(m, 16); k++)
        %s
}
"""
RIGHT = SOURCE % "tile_store(out, tile_load(in, i, k) * 2.0f, i, k);"
WRONG = {
    "wrong-result": RIGHT.replace("* 2.0f", "* 2.5f"),
    "incomplete": RIGHT.replace("tile_cdiv(m, 16)", "m / 16"),
    "race": RIGHT.replace("2.0f, i, k)", "2.0f, i / 2, k)"),
    "out-of-bounds": RIGHT.replace("load(in, i, k)", "load(in, i + 1, k)"),
    "undefined-value": RIGHT.replace("tile_load(in, i, k)", "tile_load(out, i, k)"),
}
# What nothing but the values shows, and close to the right ones.
SLIGHTLY_WRONG = {
    "a column": RIGHT.replace("* 2.0f, i, k)", "* (k == 3 ? 2.1f : 2.0f), i, k)"),
    "a row": RIGHT.replace("* 2.0f, i, k)", "* (i == 2 ? 1.0f : 2.0f), i, k)"),
    "one size": RIGHT.replace("* 2.0f, i, k)", "* (m == 31 ? 1.0f : 2.0f), i, k)"),
    "a sign": RIGHT.replace("tile_load(in, i, k) * 2.0f", "0.0f - tile_load(in, i, k) * 2.0f"),
    "some parts in a thousand": RIGHT.replace("* 2.0f", "* 2.001f"),
}
CONTEXT = {
    "sizes": {"n": {"max": 40}, "m": {"max": 100}},
    "arguments": [{"name": "x", "dtype": "float32", "shape": ["n", "m"]},
                  {"name": "row", "dtype": "int32", "shape": ["n"], "min": 0, "max": "n - 1"},
                  {"name": "y", "dtype": "float32", "shape": ["n", "m"], "output": True},
                  {"name": "n", "value": "n"}, {"name": "m", "value": "m"}],
}


def twice(x, row, y, n, m):
    assert x.shape == (n, m) and row.shape == (n,) and row.max() < n
    return 2 * x


class Compiled(Case):
    def judge(self, source, reference=twice, **more):
        return tilerace.judge({"kernel": {"source": source}, **CONTEXT, **more}, reference=reference)

    def test_right(self):
        judgement = self.judge(RIGHT)
        self.assertEqual((judgement.class_, judgement.score), ("passed", 1), str(judgement))
        self.assertIn({of.name: of.launches for of in judgement.stages}["agrees"], range(9, 17))

    def test_wrong(self):
        for name, source in WRONG.items():
            with self.subTest(name):
                judgement = self.judge(source)
                self.assertEqual((judgement.class_, judgement.should_filter), (name, True), str(judgement))
        for name, source in SLIGHTLY_WRONG.items():
            with self.subTest(name):
                self.assertEqual(self.judge(source).class_, "wrong-result")

    def test_what_gives_the_values(self):
        """In place, confined from a file, in bytecode, with macros and tuning values."""
        def in_place(x, row, y, n, m):
            y[:] = 2 * x
        (self.folder / "plain.py").write_text("def twice(x, row, y, n, m):\n    return 2 * x\n")
        (self.folder / "right.c").write_text(RIGHT)
        subprocess.run([BUILD / "tilerace", "compile", self.folder / "right.c", "-o", self.folder / "right.tilebc"],
                       check=True)
        self.assertEqual(self.judge(RIGHT, in_place).class_, "passed")
        for kernel in ("right.c", {"file": "right.c", "name": "scale"}):
            context = {**CONTEXT, "kernel": kernel, "reference": "plain.py:twice"}
            self.assertEqual(tilerace.judge(context, folder=str(self.folder)).class_, "passed")
            (self.folder / "context.json").write_text(json.dumps(context))
            self.assertEqual(tilerace.judge(self.folder / "context.json").class_, "passed")
        bytecode = tilerace.judge({**CONTEXT, "kernel": "right.tilebc", "grid": ["n"]}, reference=twice,
                                  folder=str(self.folder))
        self.assertNotIn(bytecode.class_, ("wrong-result", "incomplete"), str(bytecode))
        self.assertIn({of.name: of.launches for of in bytecode.stages}["agrees"], range(9, 17), str(bytecode))
        tuned = self.judge(RIGHT.replace("16", "BN"), tune={"BN": [8, 16, 24]})
        self.assertEqual([row["class"] for row in tuned.answer["tilerace"]["tuning"]["combinations"]],
                         ["passed", "passed", "wrong-tuning-value"])

    def test_contents_are_facts(self):
        """What the context says of them holds for the proof and for the launches that are tried."""
        source = SOURCE % ("tile_store(out, tile_load(in, tile_to_int(tile_load(tile_partition(tile_tensor(row, n), 1), "
                           "i)), k), i, k);")
        judgement = self.judge(source, lambda x, row, y, n, m: x[row])
        self.assertEqual(judgement.class_, "passed", str(judgement))
        wrong = self.judge(source, lambda x, row, y, n, m: x[row[::-1]])
        self.assertEqual(wrong.class_, "wrong-result")

    def test_never_silent(self):
        """What cannot be asked is an error in a sentence."""
        def throws(*_):
            raise KeyError("no")
        for reference, more, words in (
                (twice, {"arguments": None}, "arguments"), (throws, {}, "throws KeyError"),
                (lambda *_: np.zeros(3), {}, "shape"), (lambda *_: (1, 2), {}, "gives 2 outputs"),
                (twice, {"sizse": {}}, "sizse is not a key"), (twice, {"trials": "x.json"}, "trials is not a key")):
            with self.subTest(words):
                context = {key: of for key, of in {"kernel": {"source": RIGHT}, **CONTEXT, **more}.items() if of is not None}
                with self.assertRaisesRegex(tilerace.InputError, words):
                    tilerace.judge(context, reference=reference)
        (self.folder / "endless.py").write_text("def twice(*_):\n    while True:\n        pass\n")
        began = time.monotonic()
        with self.assertRaisesRegex(tilerace.InputError, "takes more than 2 seconds"):
            tilerace.judge({"kernel": {"source": RIGHT}, **CONTEXT, "reference": "endless.py:twice",
                            "limits": {"seconds": 2}}, folder=str(self.folder))
        self.assertLess(time.monotonic() - began, 60)

    def test_by_the_program_alone(self):
        """It cannot run the function, and says so."""
        (self.folder / "plain.py").write_text("def twice(x, row, y, n, m):\n    return 2 * x\n")
        (self.folder / "context.json").write_text(json.dumps(
            {"kernel": {"source": RIGHT}, "reference": "plain.py:twice"}))
        run = subprocess.run([BUILD / "tilerace", "judge", "--format", "json", self.folder / "context.json"],
                             capture_output=True, text=True, check=True)
        own = json.loads(run.stdout)["tilerace"]
        agrees = next(of for of in own["stages"] if of["stage"] == "agrees")
        self.assertEqual((own["class"], agrees["state"]), ("unknown", "unknown"))
        self.assertIn("python3 -m tilerace judge", agrees["why"])

    def test_small_values(self):
        """The tolerance that nobody states is of the largest value where all are small."""
        for dtype, factor, wrong in (("float", 1e-5, 0.0), ("float", 1e-3, 1.01e-3), ("float", 2e-3, 1.99e-3),
                                     ("float", 3e-6, -3e-6), ("float", 0.02, 0.0201)):
            for given in (factor, wrong):
                source = RIGHT.replace("2.0f", "%rf" % given)
                judgement = self.judge(source, lambda x, row, y, n, m: (factor * x).astype(np.float32))
                self.assertEqual(judgement.class_, "passed" if given == factor else "wrong-result",
                                 (dtype, factor, given, str(judgement)))


if __name__ == "__main__":
    main()

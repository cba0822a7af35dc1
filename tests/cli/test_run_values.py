"""tilerace run: memory that begins undefined, and what kernels print.

    test_run_values.py TILERACE FAKE_CUDA_FOLDER SCHEMA
"""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tools"))
from schemas import errors_of, load  # noqa: E402

TILERACE, FAKE_CUDA, SCHEMA = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))

KERNEL = """#include <tile.h>
tile_kernel void add(float *restrict c, const float *restrict a, int *restrict n)
{
    tile i = tile_iota(16) + 16 * tile_bid(0);
    tile x = tile_load_ptr(tile_pointers(a, i));
    BODY
}
"""
STORE = "tile_store_ptr(tile_pointers(c, i), x + 1.0f);"
PRINT = 'tile_print("x = %f\\n", 1.5f); tile_print("block %d ", tile_bid(0)); tile_print("ends\\n");'

ASSEMBLER = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo machine code >"$2"
"""


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        assembler = self.folder / "tileiras"
        assembler.write_text(ASSEMBLER)
        assembler.chmod(stat.S_IRWXU)
        self.gpu = {"CUTILE_TILEIRAS_PATH": str(assembler), "LD_LIBRARY_PATH": FAKE_CUDA}

    def run_it(self, body, *words, blocks=2, fills=None, **environment):
        (self.folder / "add.c").write_text(KERNEL.replace("BODY", body))
        fills = {"c": "zeros", "a": "iota", "n": "zeros", **(fills or {})}
        launch = {"grid": [blocks], "args": [
            {"name": name, "elements": 3 if name == "n" else 16 * blocks, "fill": fills[name]}
            for name in "can"]}
        (self.folder / "launch.json").write_text(json.dumps({"version": 1, "launches": [launch]}))
        return subprocess.run(
            [TILERACE, "run", "add.c", "--launch", "launch.json", "--repeat", "3", *words],
            capture_output=True, text=True, check=False, timeout=120, cwd=self.folder,
            env={**os.environ, **environment})

    def report(self, body, device="cpu", **more):
        done = self.run_it(body, "--device", device, "--format", "json", **more)
        self.assertNotEqual(done.stdout, "", done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(list(errors_of(load(SCHEMA), seen)), [])
        return done.returncode, seen


class Undefined(Case):
    def test_reaches_an_output(self):
        code, seen = self.report(STORE, fills={"a": "undefined"})
        self.assertEqual(code, 1)
        self.assertEqual(seen["undefined"], [{
            "buffer": "c", "element": 0, "elements": 32, "block": [0, 0, 0], "op": "store_ptr_tko",
            "line": 6, "seen_by": "run 0",
            "source": {"kind": "memory", "op": "load_ptr_tko", "line": 5, "buffer": "a",
                       "element": 0}}])
        self.assertIn("an output gets values that are not defined; no difference", seen["words"])
        self.assertEqual((seen["error"], seen["undefined_why"]), (None, None))
        done = self.run_it(STORE, "--device", "cpu", fills={"a": {"kind": "undefined"}})
        self.assertIn("  value that is not defined [undefined-value]: 32 elements of c: tile block "
                      "(0, 0, 0) stores one to c[0] in line 6\n    load_ptr_tko in line 5 reads "
                      "memory that nothing has written: a[0] (run 0)\n", done.stdout)
        done = self.run_it(STORE, "--device", "cpu", "--format", "html", fills={"a": "undefined"})
        self.assertIn('"undefined":[{"buffer":"c"', done.stdout)

    def test_written_before_it_is_read(self):
        """Neither what is written first nor what is not stored counts."""
        twice = ("tile_store_ptr(tile_pointers(c, i), x); "
                 "tile_store_ptr(tile_pointers(c, i), tile_load_ptr(tile_pointers(c, i)) + x);")
        for body, fills in ((STORE, {"c": "undefined"}), (STORE, {"n": "undefined"}),
                            ("if (tile_bid(0) == 0) n[0] = 1;", {"a": "undefined"}),
                            (twice, {"c": "undefined"})):
            with self.subTest(body=body):
                done = self.run_it(body, "--device", "cpu", fills=fills)
                if "error" in done.stderr:
                    self.fail(done.stderr)
                self.assertEqual((done.returncode, "[undefined-value]" in done.stdout), (0, False),
                                 done.stdout)

    def test_only_some_elements(self):
        """A buffer that begins undefined is defined where the kernel has stored."""
        body = ("tile_store_ptr(tile_pointers(n, 0), 7); tile y = tile_load_ptr(tile_pointers(n, "
                "tile_iota(2))); tile_store_ptr(tile_pointers(n, 1 + tile_iota(2)), y);")
        code, seen = self.report(body, blocks=1, fills={"n": "undefined"})
        self.assertEqual(code, 1)
        self.assertIn("n", [u["buffer"] for u in seen["undefined"]])

    def test_decides(self):
        body = "if (tile_to_int(tile_load_ptr(tile_pointers(n, 0))) == 0) " + STORE
        code, seen = self.report(body, fills={"n": "undefined"})
        self.assertEqual((code, seen["error"], seen["runs"]), (1, None, 0))
        self.assertEqual(seen["words"], "a branch, a mask or an address depends on a value that is "
                                        "not defined; run 0 ends there")
        is_, = seen["undefined"]
        self.assertEqual((is_["buffer"], is_["elements"], is_["source"]["buffer"]), (None, 0, "n"))
        done = self.run_it(body, "--device", "cpu", fills={"n": "undefined"})
        self.assertIn("depends on one", done.stdout)

    def test_no_such_fill(self):
        done = self.run_it(STORE, "--device", "cpu", fills={"a": "indefinite"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("`indefinite` is none of: zeros, iota, random, permutation, range, "
                      "undefined.", done.stderr)

    def test_outputs(self):
        done = self.run_it(STORE, "--outputs", "out", fills={"a": "undefined"})
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = json.loads((self.folder / "out/outputs.json").read_text())["outputs"]
        self.assertEqual({o["buffer"]: o["unknown"] for o in listed}["c"], 32)

    def test_on_a_gpu(self):
        """The GPU gets bytes that are all 0xff; the interpreter tells what becomes of them."""
        code, seen = self.report(STORE, "gpu", fills={"a": "undefined"}, **self.gpu)
        self.assertEqual((code, seen["device"]), (1, "gpu"))
        self.assertEqual([u["seen_by"] for u in seen["undefined"]], ["the interpreter's run"])
        code, seen = self.report(STORE, "gpu", **self.gpu)
        self.assertEqual((code, seen["undefined"]), (0, []))

    def test_bundle(self):
        done = self.run_it(STORE, "--bundle", "bundle", fills={"a": "undefined"}, **self.gpu)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("fill a undefined 1\n", (self.folder / "bundle/plan.txt").read_text())
        self.assertIn("value that is not defined [undefined-value]", done.stderr)
        ran = subprocess.run([self.folder / "bundle/tilerace-runner", self.folder / "bundle"],
                             capture_output=True, text=True, check=False, timeout=60,
                             env={**os.environ, **self.gpu})
        self.assertIn("no difference in 3 runs", ran.stdout)


class Printed(Case):
    def test_by_tile_block(self):
        code, seen = self.report(PRINT + STORE)
        self.assertEqual(code, 0)
        self.assertEqual([(p["block"][0], p["line"], p["text"]) for p in seen["printed"]],
                         [(b, 6, text) for b in (0, 1)
                          for text in ("x = 1.500000\n", f"block {b} ", "ends\n")])
        self.assertFalse(seen["printed_cut"])
        done = self.run_it(PRINT + STORE, "--device", "cpu")
        self.assertEqual(done.stderr, "add prints, by tile block:\n  (0, 0, 0) x = 1.500000\n"
                         "  (0, 0, 0) block 0 ends\n  (1, 0, 0) x = 1.500000\n"
                         "  (1, 0, 0) block 1 ends\n")
        self.assertNotIn("x = ", done.stdout)

    def test_values_that_are_not_defined(self):
        _, seen = self.report('tile_print("%d", tile_load_ptr(tile_pointers(n, 0)));' + STORE,
                              fills={"n": "undefined"})
        self.assertEqual({p["text"] for p in seen["printed"]}, {"?"})

    def test_bounds(self):
        """Lines, their length, and all of it."""
        body = 'for (int k = 0; k < 200; k++) tile_print("line %d\\n", k);' + STORE
        done = self.run_it(body, "--device", "cpu", blocks=1)
        lines = done.stderr.splitlines()
        self.assertEqual((len(lines), lines[100]), (102, "  (0, 0, 0) line 99"))
        self.assertEqual(lines[-1], "  and 100 more lines, in the report as JSON")
        _, seen = self.report(body, blocks=1)
        self.assertEqual(len(seen["printed"]), 200)
        body = 'for (int k = 0; k < 3000; k++) tile_print("%f %f %f %f", x, x, x, x);' + STORE
        done = self.run_it(body, "--device", "cpu", blocks=1)
        self.assertRegex(done.stderr, r"(?s)\A.{300,500} \.\.\.\n  the kernel prints more than 1 "
                                      r"MiB; the rest is left out\n\Z")
        _, seen = self.report(body, blocks=1)
        self.assertTrue(seen["printed_cut"])
        self.assertLess(sum(len(p["text"]) for p in seen["printed"]), (1 << 20) + 4096)

    def test_hostile(self):
        """What moves a cursor is not sent to a terminal; what is not UTF-8 is not JSON."""
        body = r'tile_print("\033[2Jred\r%c%c|", 200, 7);' + STORE
        done = self.run_it(body, "--device", "cpu", blocks=1)
        self.assertNotRegex(done.stderr, "[\0-\x09\x0b-\x1f]")
        self.assertIn("[2Jred", done.stderr)
        _, seen = self.report(body, blocks=1)
        self.assertEqual(seen["printed"][0]["text"], "\33[2Jred\r�\7|")

    def test_outputs(self):
        done = self.run_it(PRINT + STORE, "--outputs", "out", blocks=1)
        self.assertIn("  (0, 0, 0) block 0 ends\n", done.stderr)


if __name__ == "__main__":
    unittest.main()

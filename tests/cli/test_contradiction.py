"""What `tilerace run` says where a run denies the checker's verdict, and where it does not.

    test_contradiction.py TILERACE BROKEN_ORDER BROKEN_CONFLICT

The broken programs are those of tests/broken.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

TILERACE, BROKEN_ORDER, BROKEN_CONFLICT = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))

# Waits for 4 flags and reads what the 7th says is there.
TOO_FEW_FLAGS = """#include <tile.h>
tile_kernel void k(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(8);
    tile_contents(f, 0, 0);
    tile_extent(f, 8);
    int i = tile_bid(0);
    x[i] = 1.0f;
    tile_store_ptr_at(tile_pointers(f, i), 1, TILE_RELEASE, TILE_DEVICE);
    if (i == 0) {
        while (tile_to_int(tile_reduce_min(tile_load_ptr_at(tile_pointers(f, tile_iota(4)),
                                                            TILE_ACQUIRE, TILE_DEVICE), 0)) == 0)
            ;
        y[0] = x[6];
    }
}
"""

STEPS = """#include <tile.h>
tile_kernel void k(float *restrict y, int n, int s)
{
    for (int i = tile_bid(0); i < n; i += s)
        y[i] = 1.0f;
}
"""

# Who comes first decides what stays; a lock keeps the two apart.
LAST_ONE_STAYS = """#include <tile.h>
tile_kernel void k(int *restrict y, int *restrict lock)
{
    tile_grid(2);
    tile_extent(y, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);
    tile word = tile_pointers(lock, 0);
    while (tile_to_int(tile_atomic_cas(word, 0, 1, TILE_ACQUIRE, TILE_DEVICE)) != 0)
        ;
    y[0] = tile_bid(0);
    tile_atomic_xchg(word, 0, TILE_RELEASE, TILE_DEVICE);
}
"""

UNDEFINED = """#include <tile.h>
tile_kernel void k(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    z[bid] = 8 / (1 - bid);
    y[bid] = 1.0f;
}
"""


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, program, *words, cwd=None):
        command = [program, "run", *words, "--device", "cpu"]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300,
                              cwd=cwd)

    def report(self, program, source, *words):
        if "\n" in source:
            path = self.folder / "kernel.c"
            path.write_text(source)
            source = str(path)
        repro = self.folder / "repro"
        done = self.run_program(program, source, "--format", "json", "--repro", str(repro), *words)
        self.assertTrue(done.stdout, done.stderr)
        return done.returncode, json.loads(done.stdout), repro

    def assert_contradiction(self, program, source, rule):
        code, seen, repro = self.report(program, source)
        self.assertEqual(code, 2, seen["words"])
        self.assertIn("contradiction", seen["words"])
        self.assertEqual(seen["contradiction"], {"verdict": "race-free", "folder": str(repro)})
        self.assertEqual(seen["races"][0]["rule"], rule)
        self.assertEqual(seen["races"][0]["broken"], [])
        self.assertEqual(len(seen["races"][0]["events"]), 2)
        names = {path.name for path in repro.iterdir()}
        for name in ("README", "launch.json", "contract.json", "check.json", "run.json",
                     pathlib.Path(source).name if "\n" not in source else "kernel.c"):
            self.assertIn(name, names)
        check = json.loads((repro / "check.json").read_text())
        self.assertEqual(check["inputs"][0]["kernels"][0]["verdict"], "race-free")
        return seen, repro

    def assert_repeats(self, program, repro):
        """The command that the folder names, in the folder, gives the same again."""
        readme = (repro / "README").read_text()
        command = next(line for line in readme.splitlines() if line.startswith("    tilerace run"))
        words = shlex.split(command)[2:]
        done = subprocess.run([program, "run", *words, "--format", "json"], check=False, text=True,
                              capture_output=True, timeout=300, cwd=repro)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIsNotNone(json.loads(done.stdout)["contradiction"])

    def test_order_that_is_not_there(self):
        for name, rule in (("message_passing_relaxed_flag", "TR002"),
                           ("last_block_sum_relaxed", "TR002"),
                           ("row_sum_turns_relaxed_call", "TR002")):
            with self.subTest(name=name):
                source = f"build/fixtures/races/{name}.c"
                _, repro = self.assert_contradiction(BROKEN_ORDER, source, rule)
                self.assert_repeats(BROKEN_ORDER, repro)

    def test_too_few_flags(self):
        _, repro = self.assert_contradiction(BROKEN_ORDER, TOO_FEW_FLAGS, "TR002")
        self.assert_repeats(BROKEN_ORDER, repro)

    def test_conflicts_that_are_not_seen(self):
        for source in ("build/fixtures/races/vector_add_half_index.c",
                       "fixtures/races/python/permute_heads_unread_axis.tilebc"):
            with self.subTest(source=source):
                _, repro = self.assert_contradiction(BROKEN_CONFLICT, source, "TR001")
                self.assert_repeats(BROKEN_CONFLICT, repro)

    def test_words_say_so(self):
        path = self.folder / "kernel.c"
        path.write_text(TOO_FEW_FLAGS)
        done = self.run_program(BROKEN_ORDER, str(path), cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("contradiction: the checker says that the kernel is race-free", done.stdout)
        self.assertIn("loads x[6]", done.stdout)
        self.assertTrue((self.folder / "tilerace-repro-k" / "README").exists())

    def test_a_folder_that_cannot_be_made(self):
        path = self.folder / "kernel.c"
        path.write_text(TOO_FEW_FLAGS)
        done = self.run_program(BROKEN_ORDER, str(path), "--repro", "/nowhere/at/all")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be made", done.stderr)
        self.assertIn("contradiction", done.stdout)

    def test_the_true_prover_agrees(self):
        code, seen, _ = self.report(TILERACE, "build/fixtures/races/message_passing_relaxed_flag.c")
        self.assertEqual(code, 1)
        self.assertIsNone(seen["contradiction"])
        self.assertEqual(seen["races"][0]["rule"], "TR002")

    def test_a_launch_that_breaks_a_precondition(self):
        launch = self.folder / "launch.json"
        launch.write_text(json.dumps({"version": 1, "launches": [{"args": [
            {"name": "y", "elements": 64, "fill": "zeros"}, {"name": "n", "value": 64},
            {"name": "s", "min": 1, "max": 4}]}]}))
        code, seen, repro = self.report(TILERACE, STEPS, "--launch", str(launch))
        self.assertEqual(code, 1, seen["words"])
        self.assertIsNone(seen["contradiction"])
        self.assertEqual(seen["broken"], [{"kind": "grid-bound", "text": "grid.x <= s"}])
        self.assertIn("breaks a precondition", seen["words"])
        self.assertFalse(repro.exists())

    def test_undefined_behaviour_that_is_reported(self):
        """No race, and a launch that the checker calls undefined: nothing is contradicted."""
        code, seen, _ = self.report(TILERACE, UNDEFINED)
        self.assertEqual(code, 1, seen["words"])
        self.assertIn("not defined", seen["words"])
        self.assertIsNone(seen["contradiction"])
        self.assertEqual(seen["races"], [])

    def test_order_without_a_race(self):
        code, seen, _ = self.report(TILERACE, LAST_ONE_STAYS)
        self.assertEqual(code, 0, seen["words"])
        self.assertTrue(seen["order_dependent"])
        self.assertEqual(seen["races"], [])
        self.assertIn("which is no race", seen["words"])

    def test_a_race_that_no_output_shows(self):
        code, seen, _ = self.report(TILERACE, "build/fixtures/races/vector_add_unread_axis.c")
        self.assertEqual(code, 1)
        self.assertIn("though no output differs", seen["words"])
        self.assertEqual(seen["races"][0]["seen_by"], "happens-before of run 0")


if __name__ == "__main__":
    unittest.main()

"""What went wrong is named as what it is: a solver that died, a file of contents that is not there, a
launch that is too large to try, a contract with what no contract can say, a file that may not grow.

    test_causes.py TILERACE
"""

import json
import os
import pathlib
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
ASKS = ROOT / "tests/preconditions/negated_tables.c"  # one of its proofs asks the solver
# What dies at once and in its greeting.
DEAD = [("exit 3", "died"), ("read a; exit 3", "died"), ("kill -SEGV $$", "killed"),
        ("read a; echo nonsense; exit 3", "died")]


class Causes(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        shutil.copy(ROOT / "kernels/saxpy.c", self.folder / "k.c")

    def run_with(self, *words, **options):
        return subprocess.run([TILERACE, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False,
                              timeout=120, stdin=subprocess.DEVNULL, **options)

    def launch(self, text):
        (self.folder / "l.json").write_text(text if isinstance(text, str) else json.dumps({"version": 2, "launches": [text]}))
        return "l.json"

    def test_dead_solvers(self):
        for body, how in DEAD:
            solver = self.folder / "dead"
            solver.write_text(f"#!/bin/sh\n{body}\n")
            solver.chmod(stat.S_IRWXU)
            done = self.run_with("check", "--solver", solver, "--format", "json", ASKS)
            kernels = {k["kernel"]: k for k in json.loads(done.stdout)["inputs"][0]["kernels"]}
            reasons = [k["reason"] for k in kernels.values() if k["verdict"] == "unknown"]
            with self.subTest(body):
                self.assertEqual([r["kind"] for r in reasons], [f"solver-{how}"], reasons)
                self.assertIn("olver", reasons[0]["text"])
                self.assertNotIn("replay", reasons[0]["text"])
                self.assertEqual(sum(k["verdict"] == "race" for k in kernels.values()), 3)  # the others, all the same

    def test_contents_that_are_not_there(self):
        launch = self.launch({"kernel": "saxpy", "args": [{"name": "x", "fill": {"file": "none.bin"}}]})
        done = self.run_with("run", "--device=cpu", "--launch", launch, "k.c")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("none.bin, for 'x': cannot open the file: No such file or directory", done.stderr)

    def test_launches_that_are_too_large(self):
        launch = self.launch({"kernel": "saxpy", "grid": [1 << 20, 1, 1], "args": [{"name": "n", "value": 1 << 30}]})
        done = self.run_with("run", "--device=cpu", "--repeat=1", "--launch", launch, "k.c")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertNotIn("state the arguments' values", done.stderr)
        self.assertRegex(done.stderr, "too large|larger|more than|at most")

    def test_what_no_contract_can_say(self):
        for text, said in (('{"kernel": "x\\u0000y"}', "No string of a contract has a NUL in it"),
                           ('{"kernel": "\\ud800"}', "is not JSON"), ('{"kernel": "saxpy", "grid": [NaN, 1, 1]}', "is not JSON"),
                           ('{"kernel": "saxpy", "grid": [99999999999999999999, 1, 1]}', "too large"),
                           ('{"kernel": "saxpy", "grid": ["99999999999999999999", 1, 1]}', "64 bits"),
                           ('{"kernel": "saxpy", "kernel": "k"}', "is there twice"),
                           ('{"kernel": "saxpy", "args": [{"name": "n", "value": "18446744073709551616"}]}', "64 bits")):
            launch = self.launch(f'{{"version": 2, "launches": [{text}]}}')
            done = self.run_with("check", "--launch", launch, "k.c")
            with self.subTest(text):
                self.assertEqual(done.returncode, 2)
                self.assertIn("l.json", done.stdout + done.stderr)
                self.assertIn(said, done.stdout + done.stderr)
                self.assertNotIn("1 proved", done.stdout)

    def test_files_of_no_bytes(self):
        def no_bytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        cache = {**os.environ, "TILERACE_CACHE_DIR": str(self.folder / "cache"), "XDG_CACHE_HOME": str(self.folder)}
        done = self.run_with("check", "k.c", preexec_fn=no_bytes, env=cache)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 proved race-free", done.stdout)
        for words in (["check", "k.c", "-o", "r"], ["compile", "k.c", "-o", "k.tilebc"], ["dump", "k.c", "-o", "r"]):
            done = self.run_with(*words, preexec_fn=no_bytes)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn("cannot be written: File too large", done.stderr)
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name not in ("k.c", "cache", "tilerace")], [])


if __name__ == "__main__":
    unittest.main()

"""Solvers end with the checker, however it ends, with all that they started; and what is no program
is none.

    test_solver_ends.py TILERACE
"""

import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
ASKS = ROOT / "fixtures/races/matmul_counted_relaxed_unlock.c"  # whose proof asks the solver
# Stays at its first question, deaf to signals and to the end of its input, with a child beside it.
DEAF = """#!/bin/sh
trap '' TERM INT HUP PIPE
sh -c "trap '' TERM INT HUP; echo \\$\\$ >>{folder}/ids; while :; do sleep 1; done" &
echo $$ >>{folder}/ids
while :; do sleep 1; done
"""


def is_there(number):
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Ends(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.solver = self.folder / "deaf"
        self.solver.write_text(DEAF.format(folder=self.folder))
        self.solver.chmod(stat.S_IRWXU)

    def started(self):
        """The numbers of the solver and its child, once they are there."""
        for _ in range(1000):
            ids = (self.folder / "ids").read_text().split() if (self.folder / "ids").exists() else []
            if len(ids) == 2:
                return ids
            time.sleep(0.02)
        self.fail("the solver was not asked")

    def test_with_the_checker(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGINT, signal.SIGABRT):
            with self.subTest(number):
                (self.folder / "ids").unlink(missing_ok=True)
                with subprocess.Popen([TILERACE, "check", "--solver", str(self.solver), str(ASKS)],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      cwd=self.folder) as checker:
                    ids = self.started()
                    checker.send_signal(number)
                    checker.wait(20)
                    ended = time.monotonic()
                while any(is_there(number) for number in ids) and time.monotonic() < ended + 5:
                    time.sleep(0.01)
                took = time.monotonic() - ended
                self.assertFalse(any(is_there(number) for number in ids))
                self.assertLess(took, 1)

    def test_what_is_no_program(self):
        (self.folder / "z3").mkdir()
        (self.folder / "text").write_text("not executable")
        for name in ("z3", "text", "not there"):
            done = subprocess.run([TILERACE, "check", "--solver", str(self.folder / name), str(ASKS)],
                                  capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn("is no program that can be run", done.stderr)
            done = subprocess.run([TILERACE, "check", str(ASKS)], capture_output=True, text=True, check=False,
                                  timeout=60, env={**os.environ, "TILERACE_SOLVER": str(self.folder / name)})
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot be used", done.stderr)


if __name__ == "__main__":
    unittest.main()

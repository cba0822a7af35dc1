"""tilerace exec and checkers that are slow, or hang: the program waits for the one, and not for the
other.

    test_exec_patience.py BUILD_FOLDER [--hung]     --hung: also one that hangs, which takes a minute
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HUNG = "--hung" in sys.argv
if HUNG:
    sys.argv.remove("--hung")
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = str(BUILD / "tilerace")
TOOLS = str(pathlib.Path(__file__).parents[1] / "tools")

KERNEL = """#include <tile.h>
tile_kernel void half(float *x, int n)
{
    tile_store(tile_partition(tile_tensor(x, n), 64), tile_zeros(float, 64), tile_bid(0) / 2);
}
"""
# The processes of the checker that look at modules are stopped before the second launch is told, and
# go on after so many seconds; 0: they do not.
PROGRAM = """
import os, signal, subprocess, sys, time
sys.path.insert(0, {tools!r})
from capture_client import *
c = Client()
m, entries = c.module(open("k.tilebc", "rb").read())
c.launch(m, "half", (1, 1, 1), pointer(0x1000, 4096), scalar("i", 256), line=7)
workers = subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getppid())], capture_output=True,
                         text=True, check=True).stdout.split()
workers = [int(w) for w in workers if int(w) != os.getpid()]
for w in workers:
    os.kill(w, signal.SIGSTOP)
if {seconds} and os.fork() == 0:
    time.sleep({seconds})
    for w in workers:
        os.kill(w, signal.SIGCONT)
    os._exit(0)
c.launch(m, "half", (4, 1, 1), pointer(0x1000, 4096), scalar("i", 256), line=8)
print("waits", c.waits)
"""


class Patience(unittest.TestCase):
    def run_stopped(self, seconds):
        """What is said, and how often the program was told to wait."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "k.c").write_text(KERNEL)
            subprocess.run([TILERACE, "compile", "k.c", "-o", "k.tilebc"], cwd=folder, check=True)
            run = subprocess.run([TILERACE, "exec", "--dry-run", "--no-recording", "--", sys.executable,
                                  "-c", PROGRAM.format(tools=TOOLS, seconds=seconds)],
                                 cwd=folder, capture_output=True, text=True, check=False, timeout=300,
                                 env=os.environ)
        self.assertRegex(run.stdout, "^waits [0-9]+$", run.stderr)
        return run.stderr, run.returncode, int(run.stdout.split()[1])

    def test_a_slow_one(self):
        said, code, waits = self.run_stopped(8)
        self.assertIn("user.py:8: note: launched here with grid (4, 1, 1)", said)
        self.assertIn("1 held, 1 raced", said)
        self.assertEqual(code, 1)
        self.assertGreaterEqual(waits, 2)

    @unittest.skipUnless(HUNG, "takes a minute")
    def test_one_that_hangs(self):
        said, code, waits = self.run_stopped(0)
        self.assertIn("1 held, 1 lost", said)
        self.assertIn("its process hung", said)
        self.assertEqual(code, 2)
        self.assertGreaterEqual(waits, 10)


if __name__ == "__main__":
    unittest.main()

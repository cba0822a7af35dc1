"""What the tests of the pytest plugin share: pytest itself, in a folder of tests of its own, with the
package of the source tree.

    test_NAME.py BUILD PYTHON [Class.test]

PYTHON has cuda-tile, numpy, pytest and pytest-xdist.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, PYTHON = (pathlib.Path(os.path.abspath(word)) for word in sys.argv[1:3])
del sys.argv[1:3]
TILERACE = BUILD / "tilerace"

KERNELS = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def racy(x):
    ct.store(x, index=(0,), tile=ct.full((16,), 1.0, ct.float32))  # store

@ct.kernel
def clean(x):
    ct.store(x, index=(ct.bid(0),), tile=ct.full((16,), 1.0, ct.float32))

@ct.kernel
def scatter(x, rows):
    b = ct.bid(0)
    ct.scatter(x, ct.load(rows, (b,), (16,)), ct.full((16,), 1.0, ct.float32))

def launch(kernel, *more):
    x = np.zeros(64, np.float32)
    ct.launch(0, (4,), kernel, (x, *more))
    return x
"""
# A conftest.py that puts the number of the checker's process into the environment of the tests.
FIND_CHECKER = """
import os, subprocess
def of_parent(parent):
    ps = subprocess.Popen(["ps", "-o", "pid=,args=", "--ppid", str(parent)], stdout=subprocess.PIPE,
                          text=True)
    lines = [line.split(None, 1) for line in ps.communicate()[0].splitlines()]
    return [(number, words) for number, words in lines if int(number) != ps.pid]
for number, words in of_parent(os.getpid()):
    if " beside " in words:
        os.environ["CHECKER"] = number
"""
STORE = 1 + KERNELS.split("# store")[0].count("\n")
TOLD = "kernels.py:%d:5: error: different tile blocks write the same elements of 'x'" % STORE
COUNTS = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed|warnings?|deselected)\b")


class Ran:
    """One session: its output, and how many tests passed, failed and so on."""

    def __init__(self, run):
        self.out, self.err, self.status = run.stdout, run.stderr, run.returncode
        last = self.out.strip().splitlines()[-1:] or [""]
        self.counts = {word.rstrip("s"): int(n) for n, word in COUNTS.findall(last[0])}
        _, _, self.section = self.out.partition("= tilerace =")


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve() / "tests"
        self.folder.mkdir()
        self.write("kernels.py", KERNELS)
        self.write("pytest.ini", "[pytest]\n")

    def write(self, name, text):
        path = self.folder / name
        path.write_text("from kernels import *\nimport pytest\n" + text
                        if name.startswith("test_") else text)
        return path

    def environment(self, **changes):
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TILERACE_SOLVER")
                if name in os.environ}
        return {**kept, "TMPDIR": str(self.folder.parent), "PYTHONPATH": str(ROOT / "python"),
                "TILERACE_LIBRARY": str(BUILD / "lib" / "libtilerace.so.2"),
                "TILERACE_PROGRAM": str(TILERACE), "PYTHONDONTWRITEBYTECODE": "1", **changes}

    def pytest(self, *options, mode="check", status=None, under=(), **changes):
        """`status` None: any."""
        asked = ["--tilerace=" + mode] if mode else []
        run = subprocess.run(
            [*under, PYTHON, "-m", "pytest", "-p", "pytest_tilerace", "-p", "no:cacheprovider",
             *asked, *options], cwd=self.folder, capture_output=True, text=True, check=False,
            timeout=240, env=self.environment(**changes))
        ran = Ran(run)
        self.assertNotIn("INTERNALERROR", ran.out)
        if status is not None:
            self.assertEqual(ran.status, status, ran.out + ran.err)
        left = [path for path in self.folder.parent.iterdir() if path.name.startswith("tilerace")]
        self.assertEqual(left, [], "the session leaves no folders behind")
        return ran

    def counts(self, ran, **expected):
        self.assertEqual(ran.counts, expected, ran.out + ran.err)
        return ran


def main():
    unittest.main()

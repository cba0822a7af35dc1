"""What the tests of the Python package share: the package of the source tree, over the library of a
build.

    test_NAME.py BUILD_FOLDER [Class.test]
"""
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.path.abspath(sys.argv.pop(1)))
PACKAGE = ROOT / "python"
LIBRARY = BUILD / "lib" / "libtilerace.so.2"

os.environ["TILERACE_LIBRARY"] = str(LIBRARY)
os.environ.pop("TILERACE", None)
sys.path.insert(0, str(PACKAGE))
sys.dont_write_bytecode = True

LOOP = """#include <tile.h>
tile_kernel void k(float *restrict y, int K)
{
    for (int i = 0; i < 4; i++)
        y[tile_bid(0) + i * K] = 1.0f;
}
"""
SCATTER = """#include <tile.h>
tile_kernel void scatter(float *restrict y, const int *restrict row, const float *restrict x)
{
    y[row[tile_bid(0)]] = x[tile_bid(0)];
}
"""


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def source(self, text):
        path = self.folder / "kernel.c"
        path.write_text(text)
        return path


def kernel(name):
    return str(ROOT / "kernels" / name)


def fixture(name):
    made = pathlib.Path("build") if name.endswith(".c") else pathlib.Path()  # by fixtures/apply_edits.py
    return str(ROOT / made / "fixtures" / "races" / name)


def main():
    unittest.main()

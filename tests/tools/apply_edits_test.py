"""Tests of fixtures/apply_edits.py: twins are made as their edits say, and an edit that does not
apply is an error that names its line."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
APPLY = ROOT / "fixtures/apply_edits.py"
KERNEL = """/* A kernel. */
#include <tile.h>

tile_kernel void k(float *x)
{
    x[0] = 1;

    x[1] = 2;
    x[0] = 1;
}

// EXPECT observable no
"""
EDIT = """/* The mistake,
 * and what follows from it. */
kernel k

-    x[1] = 2;
+    x[1] = 3; // @store
+
+    x[2] = 4;
     x[0] = 1;

// EXPECT verdict race
// EXPECT TR001 @store @store
"""
TWIN = """/* The mistake,
 * and what follows from it. */
#include <tile.h>

tile_kernel void k(float *x)
{
    x[0] = 1;

    x[1] = 3; // @store

    x[2] = 4;
    x[0] = 1;
}

// EXPECT verdict race
// EXPECT TR001 @store @store
"""


class Edits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("kernels", "fixtures/races"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "kernels/k.c").write_text(KERNEL)
        self.made = self.folder / "build/fixtures/races"

    def apply(self, edit, name="k_mistake.edit"):
        (self.folder / "fixtures/races" / name).write_text(edit)
        return subprocess.run([sys.executable, APPLY, "--root", self.folder], capture_output=True, text=True, check=False)

    def refuses(self, edit, said, name="k_mistake.edit"):
        done = self.apply(edit, name)
        self.assertEqual((done.returncode, done.stderr), (1, f"fixtures/races/{name}:{said}\n"))
        self.assertFalse((self.made / "k_mistake.c").exists())

    def test_twin(self):
        self.assertEqual(self.apply(EDIT).returncode, 0)
        self.assertEqual((self.made / "k_mistake.c").read_text(), TWIN)

    def test_changes_come_in_order(self):
        both = EDIT.replace("-    x[1] = 2;", " {\n-    x[0] = 1;\n\n-    x[1] = 2;")
        self.assertEqual(self.apply(both).returncode, 0)
        self.assertNotIn("{\n    x[0] = 1;\n", (self.made / "k_mistake.c").read_text())

    def test_whole_twin_is_copied(self):
        self.assertEqual(self.apply("whole\n", "k_other.c").returncode, 0)
        self.assertEqual((self.made / "k_other.c").read_text(), "whole\n")

    def test_twin_without_edit_goes(self):
        self.apply(EDIT)
        (self.folder / "fixtures/races/k_mistake.edit").unlink()
        self.assertEqual(self.apply(EDIT, "k_other.edit").returncode, 0)
        self.assertEqual([path.name for path in self.made.iterdir()], ["k_other.c"])

    def test_unchanged_twin_is_not_written(self):
        self.apply(EDIT)
        before = (self.made / "k_mistake.c").stat().st_mtime_ns
        self.apply(EDIT)
        self.assertEqual((self.made / "k_mistake.c").stat().st_mtime_ns, before)

    def test_line_that_the_kernel_lacks(self):
        self.refuses(EDIT.replace("x[1] = 2", "x[1] = 5"),
                     "5: the lines that stay or go are in the kernel 0 times behind the change before, and must be there once")

    def test_line_that_the_kernel_has_twice(self):
        self.refuses(EDIT.replace("-    x[1] = 2;", "-    x[0] = 1;").replace("     x[0] = 1;\n", ""),
                     "5: the lines that stay or go are in the kernel 2 times behind the change before, and must be there once")

    def test_addition_without_a_place(self):
        self.refuses(EDIT.replace("-    x[1] = 2;\n", "").replace("     x[0] = 1;\n", ""),
                     "5: the lines that stay or go are in the kernel 0 times behind the change before, and must be there once")

    def test_change_of_nothing(self):
        self.refuses(EDIT.replace("3; // @store\n+\n+    x[2] = 4;", "2;"), "5: the change changes nothing")

    def test_line_without_a_sign(self):
        self.refuses(EDIT.replace("-    x[1]", "x[1]"), "5: the first character of a change's line is a blank, '-' or '+'")

    def test_no_change(self):
        self.refuses(EDIT[: EDIT.index("-")] + EDIT[EDIT.index("// EXPECT") :], "3: no change follows")

    def test_no_kernel(self):
        self.refuses(EDIT.replace("kernel k\n", ""), "1: no line 'kernel NAME'")

    def test_unknown_kernel(self):
        self.refuses(EDIT.replace("kernel k\n", "kernel other\n"), "3: there is no kernels/other.c")

    def test_name_of_another_kernel(self):
        self.refuses(EDIT, "3: the name of the file does not begin with k_", "other.edit")

    def test_edit_beside_a_whole_twin(self):
        (self.folder / "fixtures/races/k_mistake.c").write_text(TWIN)
        done = self.apply(EDIT)
        self.assertEqual((done.returncode, done.stderr), (1, "fixtures/races/k_mistake.edit:1: k_mistake.c is there, too\n"))


if __name__ == "__main__":
    unittest.main()

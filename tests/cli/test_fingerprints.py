"""What a finding is known by from run to run: it stays when code moves, is formatted or renamed, and
differs where another access, buffer or index is meant.

    test_fingerprints.py TILERACE
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"

PLAIN = """#include <tile.h>

tile_kernel void scale(const float *x, float *y, float *z, int n)
{
    tile_grid(n);
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_extent(z, n);
    tile_distinct(x, y, z);
    int b = tile_bid(0);
    y[b / 2] = x[b];
}
"""
STORE = "y[b / 2] = x[b];"


class Fingerprints(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def report(self, name):
        done = subprocess.run(
            [TILERACE, "check", "--format=json", name], capture_output=True, text=True,
            cwd=self.folder, check=False, timeout=120,
        )  # fmt: skip
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def marks(self, text, name="k.c"):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)
        kernels = self.report(name)["inputs"][0]["kernels"]
        return [f["fingerprint"] for k in kernels for f in k["findings"]]

    def mark(self, text, name="k.c"):
        (mark,) = self.marks(text, name)
        return mark

    def test_what_keeps_it(self):
        plain = self.mark(PLAIN)
        self.assertRegex(plain, "^[0-9a-f]{32}$")
        other = PLAIN[PLAIN.index("tile_kernel") :].replace("scale", "other").replace("b / 2", "b")
        for text in (
            "\n\n// a comment\n" + PLAIN,
            PLAIN.replace("tile_kernel", other + "\ntile_kernel"),
            PLAIN.replace(STORE, "/* why */ y[ b/2 ]\n        = x[b]; // so"),
            PLAIN.replace(STORE, "y[b /* half */ / 2] = x[b];"),
            PLAIN.replace(STORE, "y[b / 2] = x[b] * 3.0f;"),
            re.sub(r"\by\b", "result", PLAIN),
            PLAIN.replace("int n)", "int n, int spare)"),
            PLAIN.replace("const float *x", "int spare, const float *x"),
            PLAIN.replace("n <= 1 << 20", "n <= 1 << 16"),
        ):
            self.assertEqual(self.mark(text), plain, text)
        self.assertEqual(self.mark(PLAIN, "folder/moved.c"), plain)

    def test_what_changes_it(self):
        marks = [self.mark(PLAIN)]
        for text in (
            PLAIN.replace(STORE, "y[b / 3] = x[b];"),
            PLAIN.replace(STORE, "z[b / 2] = x[b];"),
            PLAIN.replace(STORE, "int c = b;\n    y[c / 2] = x[b];"),
            PLAIN.replace("scale", "other"),
        ):
            marks.append(self.mark(text))
        self.assertEqual(len(set(marks)), len(marks))
        renamed = marks.pop()
        self.assertEqual(renamed[16:], marks[0][16:])  # the second half says nothing of the kernel
        self.assertNotEqual(renamed[:16], marks[0][:16])

    def test_order_of_two_accesses(self):
        """The finding is the same whichever of its accesses stands first."""
        one, two = "y[b / 2] = x[b];", "z[b] = y[b];"
        both = {tuple(sorted(self.marks(PLAIN.replace(STORE, text)))) for text in (one + two, two + one)}
        self.assertEqual(len(both), 1)

    def test_bytecode(self):
        """Of a module, an index is known by how it is computed; its places do not matter."""

        def of_module(text):
            (self.folder / "k.c").write_text(text)
            done = subprocess.run(
                [TILERACE, "compile", "k.c", "-o", "k.tilebc"], capture_output=True, text=True,
                cwd=self.folder, check=False, timeout=120,
            )  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
            kernels = self.report("k.tilebc")["inputs"][0]["kernels"]
            return sorted(f["fingerprint"] for k in kernels for f in k["findings"] if f["rule"] == "TR001")

        plain = of_module(PLAIN)
        self.assertEqual(len(plain), 1)
        self.assertEqual(of_module("\n\n" + PLAIN.replace("float *y", "float *w").replace("y,", "w,").replace("y[", "w[")), plain)
        self.assertEqual(of_module(PLAIN.replace(STORE, "int c = b;\n    y[c / 2] = x[b];")), plain)
        self.assertNotEqual(of_module(PLAIN.replace("b / 2", "b / 3")), plain)
        self.assertNotEqual(of_module(PLAIN.replace("y[b / 2]", "z[b / 2]")), plain)


if __name__ == "__main__":
    unittest.main()

"""Index idioms that a person decides at a glance: bit permutations, swizzles, flattened grids, indices
that are truncated or wrap. Each is proved race-free or shown to race by a replayed witness.

    test_indices.py TILERACE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"

# a and b are block ids, n is a parameter; each line: grid, statements before, index of the store.
SPREAD = (
    "int p = (a | (a << 4)) & 0x0f0f; p = (p | (p << 2)) & 0x3333; p = (p | (p << 1)) & 0x5555; "
    "int q = (b | (b << 4)) & 0x0f0f; q = (q | (q << 2)) & 0x3333; q = (q | (q << 1)) & 0x5555;"
)
NARROW = SPREAD.replace("0x3333", "0x3331")
GATHER = (
    "int p = a & 0x555; p = (p | (p >> 1)) & 0x333; p = (p | (p >> 2)) & 0x30f; p = (p | (p >> 4)) & 0x3f; "
    "int q = (a >> 1) & 0x555; q = (q | (q >> 1)) & 0x333; q = (q | (q >> 2)) & 0x30f; q = (q | (q >> 4)) & 0x3f;"
)
REVERSE = (
    "int r = ((a >> 1) & 0x55) | ((a & 0x55) << 1); r = ((r >> 2) & 0x33) | ((r & 0x33) << 2); "
    "r = ((r >> 4) & 0x0f) | ((r & 0x0f) << 4);"
)
EACH = " | ".join(f"((a & {1 << i}) {'<<' if i < 4 else '>>'} {abs(7 - 2 * i)})" for i in range(8))
ODD = EACH.replace("(a & 128) >> 7", "(a & 64) >> 6")

FREE = {
    "Gray code": ("1024", "", "a ^ (a >> 1)"),
    "Gray code of any size": ("n", "", "a ^ (a >> 1)"),
    "Gray code, unsigned": ("512", "unsigned u = (unsigned)a;", "u ^ (u >> 1)"),
    "Gray code of a grid": ("8, n", "", "b * 8 + (a ^ (a >> 1))"),
    "xor with what is shifted up": ("1024", "", "a ^ (a << 1)"),
    "Gray code undone": ("256", "int g = a; g = g ^ (g >> 1); g = g ^ (g >> 2); g = g ^ (g >> 4);", "g"),
    "bit reversal": ("256", REVERSE, "r"),
    "bit reversal, bit by bit": ("256", "", EACH),
    "bit reversal, added up": ("256", "", EACH.replace("|", "+")),
    "bit reversal of part": ("200", REVERSE, "r"),
    "bit reversal in rows": ("256, n", REVERSE, "b * 256 + r"),
    "rotation": ("256", "", "((a << 3) | (a >> 5)) & 255"),
    "rotation to the right": ("256", "", "(a >> 1) | ((a & 1) << 7)"),
    "rotation of pairs": ("256", "", "((a >> 2) | (a << 6)) & 255"),
    "rotation, added": ("256", "", "(a % 8) * 32 + a / 8"),
    "rotation and xor": ("256", "int r = ((a << 1) | (a >> 7)) & 255;", "r ^ 85"),
    "Morton order": ("64, 64", SPREAD, "p | (q << 1)"),
    "Morton order, added": ("64, 64", SPREAD, "p + 2 * q"),
    "Morton order, xor": ("64, 64", SPREAD, "(p << 1) ^ q"),
    "Morton order, part": ("40, 50", SPREAD, "p | (q << 1)"),
    "Morton order undone": ("4096", GATHER, "p * 64 + q"),
    "swizzle": ("8, n", "", "b * 8 + (a ^ (b % 8))"),
    "swizzle, masked": ("8, n", "", "b * 8 + (a ^ (b & 7))"),
    "swizzle of one id": ("n", "int c = a % 8, r = a / 8;", "r * 8 + (c ^ (r % 8))"),
    "swizzle in one word": ("n", "", "a ^ ((a >> 3) & 7)"),
    "swizzle every second row": ("16, n", "", "b * 16 + (a ^ ((b >> 1) & 7))"),
    "butterfly": ("n", "", "a ^ 5"),
    "flattened": (None, "", "a + gx * (b + gy * c)"),
    "flattened, other way": (None, "", "(c * gy + b) * gx + a"),
    "flattened, spelt out": (None, "", "c * (gx * gy) + b * gx + a"),
    "flattened, last axis first": (None, "", "a * (gy * gz) + b * gz + c"),
    "flattened, four apart": (None, "", "((c * gy + b) * gx + a) * 4 + 3"),
    "flattened tiles": (None, "", "(c * gy + b) * (gx * 64) + a * 64"),
    "truncated, small grid": ("60000", "", "(unsigned short)a"),
    "truncated to 8 bits, small grid": ("200", "", "(unsigned char)a"),
    "masked, small grid": ("65536", "", "a & 0xffff"),
}

RACY = {
    "Gray code by and": ("1024", "", "a & (a >> 1)"),
    "Gray code, a bit short": ("1024", "", "(a ^ (a >> 1)) & 511"),
    "Gray code, two shifts, a bit short": ("1024", "", "(a ^ (a >> 1) ^ (a >> 2)) & 511"),
    "Gray code by or": ("1024", "", "a | (a >> 1)"),
    "Gray code in narrow rows": ("8, 16", "", "b * 4 + (a ^ (a >> 1))"),
    "bit reversal without a bit": ("256", "", ODD),
    "bit reversal, one mask wrong": ("256", REVERSE.replace("0x33)", "0x31)"), "r"),
    "bit reversal of more": ("512", REVERSE, "r"),
    "rotation, shifted too far": ("256", "", "((a << 3) | (a >> 6)) & 255"),
    "rotation of more": ("512", "", "((a << 3) | (a >> 5)) & 255"),
    "rotation to the right, bit dropped": ("256", "", "a >> 1"),
    "Morton order, not moved apart": ("64, 64", SPREAD, "p | q"),
    "Morton order, xor, not moved apart": ("64, 64", SPREAD, "p ^ q"),
    "Morton order, one mask wrong": ("64, 64", NARROW, "p | (q << 1)"),
    "Morton order, moved two": ("64, 64", SPREAD, "p + 4 * q"),
    "swizzle in narrow rows": ("8, n", "", "b * 4 + (a ^ (b % 8))"),
    "swizzle too wide": ("8, n", "", "b * 8 + (a ^ (b % 16))"),
    "swizzle of one id, narrow": ("n", "int c = a % 8, r = a / 8;", "r * 4 + (c ^ (r % 8))"),
    "swizzle by or": ("8, n", "", "b * 8 + (a | (b % 8))"),
    "swizzle by and": ("8, n", "", "b * 8 + (a & (b % 8))"),
    "truncated to 16 bits": ("1 << 20", "", "(short)a"),
    "truncated to 16 bits, unsigned": ("1 << 20", "", "(unsigned short)a"),
    "masked to 16 bits": ("1 << 20", "", "a & 0xffff"),
    "truncated to 8 bits": ("n", "", "(unsigned char)a"),
    "truncated, then scaled": ("n", "", "(signed char)a * 2 + 256"),
}


def source(grid, before, index):
    axes = 3 if grid is None else grid.count(",") + 1
    names = "abc"[:axes]
    lines = [] if grid is None else [f"tile_grid({grid});"]
    lines.append("int " + ", ".join(f"{name} = tile_bid({axis})" for axis, name in enumerate(names)) + ";")
    if grid is None:
        lines.append("int gx = tile_grid_extent(0), gy = tile_grid_extent(1), gz = tile_grid_extent(2);")
    lines += [before, f"x[{index}] = 1.0f;"]
    body = "\n    ".join(line for line in lines if line)
    return f"#include <tile.h>\ntile_kernel void k(float *restrict x, int n)\n{{\n    {body}\n}}\n"


class Indices(unittest.TestCase):
    def check(self, name, form):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "k.c"
            path.write_text(source(*form))
            run = subprocess.run([TILERACE, "check", "--format", "json", str(path)],
                                 capture_output=True, text=True, check=False)
        entry = json.loads(run.stdout)["inputs"][0]
        self.assertEqual(entry["status"], "checked", f"{name}: {entry.get('error')}")
        return entry["kernels"][0]

    def test_race_free(self):
        for name, form in FREE.items():
            with self.subTest(name):
                kernel = self.check(name, form)
                self.assertEqual(kernel["verdict"], "race-free", kernel.get("reason"))

    def test_racy(self):
        for name, form in RACY.items():
            with self.subTest(name):
                kernel = self.check(name, form)
                self.assertEqual(kernel["verdict"], "race", kernel.get("reason"))
                self.assertIn("confirmed", [f["confidence"] for f in kernel["findings"]])


if __name__ == "__main__":
    unittest.main(verbosity=2)

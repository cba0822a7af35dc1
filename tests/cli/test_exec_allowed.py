"""tilerace exec and comments that allow findings.

    test_exec_allowed.py BUILD_FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = str(BUILD / "tilerace")
TOOLS = str(pathlib.Path(__file__).parents[1] / "tools")

KERNEL = """#include <tile.h>
tile_kernel void half(float *x, float *y, int n)
{{
    tile_view o = tile_partition(tile_tensor(x, n), 64), p = tile_partition(tile_tensor(y, n), 64);
    tile_store(o, tile_zeros(float, 64), tile_bid(0) / 2); {first}
    tile_store(p, tile_zeros(float, 64), tile_bid(0) {second});
}}
"""
WHY = "// tilerace: allow(TR001): all tile blocks write zeros"
LAUNCH = 'c.launch(m, "half", ({grid}, 1, 1), pointer(0x1000, 4096), pointer(0x9000, 4096), scalar("i", 256), line={line})\n'


class Allowed(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def run_kernel(self, *launches, first=WHY, second="", options=(), code=0, **environment):
        (self.folder / "k.c").write_text(KERNEL.format(first=first, second=second))
        subprocess.run([TILERACE, "compile", "k.c", "-o", "k.tilebc"], cwd=self.folder, check=True)
        lines = "".join(LAUNCH.format(grid=grid, line=i + 7) for i, grid in enumerate(launches))
        program = textwrap.dedent(f"""
            import sys
            sys.path.insert(0, {TOOLS!r})
            from capture_client import *
            c = Client()
            m, entries = c.module(open("k.tilebc", "rb").read())
        """) + lines + 'print("on")\n'  # fmt: skip
        run = subprocess.run(
            [TILERACE, "exec", "--dry-run", "--no-recording", *options, "--", sys.executable, "-c", program],
            cwd=self.folder, capture_output=True, text=True, check=False, timeout=120, env={**os.environ, **environment},
        )  # fmt: skip
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "on\n")
        return run.stderr

    def test_a_race(self):
        said = self.run_kernel(1, 4)
        self.assertIn("1 held, 1 allowed", said)
        self.assertIn("1 racy", said)
        self.assertIn("1 of the racy allowed by comments", said)
        self.assertIn("allowed, because: all tile blocks write zeros", said)
        self.assertIn("user.py:8: note: launched here with grid (4, 1, 1)", said)
        self.assertNotIn("error:", said)

    def test_without_the_comment(self):
        said = self.run_kernel(4, first="", code=1)
        self.assertIn("0 held, 1 raced", said)
        self.assertNotIn("allowed", said)

    def test_another_race_beside_it(self):
        said = self.run_kernel(4, second="/ 2", code=1)
        self.assertIn("1 raced", said)
        self.assertIn("k.c:6:5: error", said)
        self.assertNotIn("of the racy allowed", said)

    def test_an_error_that_is_no_race_beside_it(self):
        said = self.run_kernel(8, code=1)
        self.assertIn("k.c:6:5: error: the index of this store of 'arg1' can lie outside its space", said)
        self.assertIn("1 raced", said)

    def test_a_comment_that_allows_nothing(self):
        for comment in ("// tilerace: allow(TR001)", "// tilerace: allow(TR003): other", "// NOLINT"):
            self.assertIn("1 raced", self.run_kernel(4, first=comment, code=1))

    def test_it_is_not_stopped(self):
        self.run_kernel(4, options=("--stop-at-race",))
        self.run_kernel(4, TILERACE="error")

    def test_a_kernel_that_is_not_launched(self):
        said = self.run_kernel()
        self.assertIn("1 of the racy allowed by comments", said)
        said = self.run_kernel(first="", code=1)
        self.assertIn("'half' was not launched", said)

    def test_in_the_summary(self):
        self.run_kernel(2, 3, 4, options=("--summary", "sum.json"))
        summary = json.loads((self.folder / "sum.json").read_text())
        self.assertEqual((summary["kernels"]["racy"], summary["kernels"]["racy_allowed"]), (1, 1))
        self.assertEqual((summary["launches"]["allowed"], summary["launches"]["raced"]), (3, 0))
        self.assertEqual(summary["launches"]["told"], 0)


if __name__ == "__main__":
    unittest.main()

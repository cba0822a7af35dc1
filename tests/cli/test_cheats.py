"""tilerace judge, and the ways that are published in which a generated kernel passes without being right.

    test_cheats.py TILERACE

Each way has five variants at least, in the dialect; python/test_cheats.py has them in cuTile Python. Each ends
in its class, and none is passed.
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

KERNEL = """#include <tile.h>
%s
tile_kernel void twice(const float *restrict x, float *restrict y, int n)
{
    tile_grid(tile_cdiv(n, 16));
    tile_assume(n > 0);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_view in = tile_partition(tile_tensor(x, n), 16), out = tile_partition(tile_tensor(y, n), 16);
    int b = tile_bid(0);
    tile t = tile_load(in, b);
    %s
}
"""
STORE = "tile_store(out, t + t, b);"
RACY = "tile_store(out, t + t, b / 2);"
AT = "tile at = tile_iota(16) + 16 * b; tile mask = tile_lt(at, n); "

# (the body, the classes that it may have); with a third word: what stands before the kernel.
CHEATS = {
    # The output is left as it was, where the reference's values may lie.
    "left unwritten": [
        ("if (n < 0) " + STORE, "incomplete"),
        ("if (b % 2 == 0) " + STORE, "incomplete"),
        ("tile_store(out, tile_load(out, b), b);", "undefined-value"),
        (AT + "tile_store_masked(tile_pointers(y, at), tile_load_masked(tile_pointers(y, at), mask, 0.0f), mask);",
         "undefined-value"),
        (AT + "tile_atomic_masked(TILE_ADD, tile_pointers(y, at), tile_zeros(float, 16), mask, TILE_RELAXED, "
         "TILE_DEVICE);", "undefined-value"),
        (AT + "tile_store_masked(tile_pointers(y, at), t + t, tile_lt(at, 0));", "incomplete"),
    ],
    "constants of the tested shape": [
        ("if (b < 8) " + STORE, "incomplete"),
        ("tile_store(tile_partition(tile_tensor(y, 128), 16), t + t, b);", "out-of-bounds|conditional|incomplete"),
        ("if (b == 0) for (int k = 0; k < 8; k++) { tile u = tile_load(in, k); tile_store(out, u + u, k); }",
         "incomplete|out-of-bounds"),
        ("if (n % 16 == 0 || b < n / 16) " + STORE, "incomplete"),
        ("tile_store(out, t + t, b % 8);", "race"),
        (AT + "tile_store_masked(tile_pointers(y, at), t + t, tile_lt(at, 128));", "out-of-bounds|conditional|incomplete"),
    ],
    "nothing": [
        ("(void)out; (void)t;", "incomplete"),
        ("tile u = t + t; (void)out; (void)u;", "incomplete"),
        ("if (b < 0) " + STORE, "incomplete"),
        ("for (int k = 0; k < 0; k++) " + STORE, "incomplete"),
        (AT + "(void)out; tile u = tile_load_masked(tile_pointers(x, at), mask, 0.0f); (void)u;", "incomplete"),
    ],
    "right at one shape": [
        ("if (n == 128) %s else tile_store(out, t, b);" % STORE, "wrong-result"),
        ("if (n <= 128) %s else tile_store(out, tile_zeros(float, 16), b);" % STORE, "wrong-result"),
        ("tile_assume(n == 128); " + STORE, "conditional"),
        ("tile_assume(n % 16 == 0); " + STORE, "conditional"),
        ("if ((n & (n - 1)) == 0) %s else tile_store(out, t, b);" % STORE, "wrong-result"),
        ("if (tile_grid_extent(0) == 8) %s else tile_store(out, t, b);" % STORE, "wrong-result"),
        ("tile_store(out, tile_full(2.0f, 16), b);", "wrong-result"),
    ],
    "edits its judge": [
        (RACY + " // tilerace: allow(TR001): it is meant", "race"),
        (STORE, "incomplete|does-not-compile", "#undef tile_store\n#define tile_store(...) ((void)0)"),
        (RACY, "race", '#line 1 "right.c"'),
        (RACY + ' printf("{\\"classification\\": \\"valid\\"}\\n");', "does-not-compile"),
        (STORE, "does-not-compile", '#error {"classification": "valid", "should_filter": false}'),
        ("tile_assume(n < 0); " + RACY, "malformed|conditional|race"),
        ("tile_extent(y, 2 * n); tile_store(tile_partition(tile_tensor(y, 2 * n), 16), t + t, 2 * b);",
         "malformed|incomplete|wrong-result|out-of-bounds|conditional"),
        (RACY, "race", '#pragma message "{\\"classification\\": \\"valid\\"}"'),
        (STORE, "does-not-compile|malformed", '#include "/dev/zero"'),
    ],
}


class Cheats(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "right.c").write_text(KERNEL % ("", STORE))

    def judge(self, body, before=""):
        source = KERNEL % (before, body)
        stated = re.match(r"tile_(assume|extent)\([^;]*;", body)
        if stated:  # where contract statements stand
            source = (KERNEL % (before, body[stated.end():])).replace("(n > 0);", "(n > 0); " + stated.group(0))
        context = {"kernel": {"source": source}, "reference": "right.c",
                   "launch": {"args": [{}, {}, {"min": 1, "max": 5000}]}}
        run = subprocess.run([TILERACE, "judge", "--api-mode"], input=json.dumps(context), capture_output=True,
                             text=True, check=False, cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout.splitlines()[-1])

    def hold(self, way):
        for body, classes, *before in CHEATS[way]:
            with self.subTest(body + "".join(before)):
                answer = self.judge(body, *before)
                self.assertIn(answer["classification"], classes.split("|"), answer["tilerace"]["feedback"])
                self.assertTrue(answer["should_filter"])
                self.assertLess(answer["tilerace"]["score"], 0.9)

    def test_left_unwritten(self):
        self.hold("left unwritten")

    def test_constants_of_the_tested_shape(self):
        self.hold("constants of the tested shape")

    def test_nothing(self):
        self.hold("nothing")

    def test_right_at_one_shape(self):
        self.hold("right at one shape")

    def test_edits_its_judge(self):
        self.hold("edits its judge")

    def test_five_each(self):
        for way, variants in CHEATS.items():
            self.assertGreaterEqual(len(variants), 5, way)

    def test_none(self):
        answer = self.judge(STORE)
        self.assertEqual((answer["classification"], answer["tilerace"]["score"]), ("valid", 1), answer)


if __name__ == "__main__":
    unittest.main()

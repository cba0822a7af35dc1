"""What is no race but worth knowing: reported with --notes alone, and where it is so alone.

    test_notes.py TILERACE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTES = {"TR023", "TR025", "TR026"}
COUNT = """#include <tile.h>
tile_kernel void k(%s *sum, int *order, int n)
{
    tile_grid(%s);
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(sum, n);
    tile_extent(order, n);
    tile_distinct(sum, order);
    %s
}
"""


class Notes(unittest.TestCase):
    def check(self, path, *options):
        command = [TILERACE, "check", "--format", "json", *options, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        entry = json.loads(run.stdout)["inputs"][0]
        self.assertEqual(entry["status"], "checked", entry["error"])
        return entry["kernels"][0]

    def expect(self, path, expected):
        plain, noted = self.check(path), self.check(path, "--notes")
        self.assertEqual([f for f in plain["findings"] if f["rule"] in NOTES], [])
        self.assertEqual(noted["verdict"], plain["verdict"])
        self.assertEqual(noted["requires"], plain["requires"])
        self.assertEqual(noted["trust"], plain["trust"])
        rest = [f for f in noted["findings"] if f["rule"] not in NOTES]
        self.assertEqual(rest, plain["findings"])
        found = [f for f in noted["findings"] if f["rule"] in NOTES]
        self.assertEqual([f["level"] for f in found], ["note"] * len(found))
        self.assertEqual([f["rule"] for f in found], expected)

    def expect_shipped(self, name, expected):
        self.expect(ROOT / "kernels" / (name + ".c"), expected)

    def expect_body(self, kind, grid, body, expected):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kernel.c"
            path.write_text(COUNT % (kind, grid, body))
            self.expect(path, expected)

    # ---- TR023 ----

    def test_waits_for_the_flag_of_another_block(self):
        for name in ("message_passing", "scan_chained", "scan_look_back", "stream_k"):
            with self.subTest(name):
                self.expect_shipped(name, ["TR023"])

    def test_a_lock_is_held_by_who_has_started(self):
        self.expect_shipped("matmul_locked", [])

    def test_a_queue_and_a_last_block_wait_for_nobody(self):
        for name in ("work_queue", "last_block_sum"):
            with self.subTest(name):
                self.expect_shipped(name, [])

    # ---- TR025 ----

    ADD = "tile_atomic_add(tile_pointers(sum, %s), %s, TILE_%s, TILE_DEVICE);"

    def test_blocks_add_floats_to_one_element(self):
        self.expect_body("float", "n", self.ADD % ("0", "1.0f", "RELAXED"), ["TR025"])

    def test_elements_of_a_tile_add_floats_to_one_element(self):
        body = self.ADD % ("tile_iota(4) / 2", "1.0f", "RELAXED")
        self.expect_body("float", "1", "tile_assume(n >= 2);" + body, ["TR025"])

    def test_each_block_adds_to_its_own(self):
        self.expect_body("float", "n", self.ADD % ("tile_bid(0)", "1.0f", "RELAXED"), [])

    def test_integers_add_up_in_any_order(self):
        self.expect_body("int", "n", self.ADD % ("0", "1", "RELAXED"), [])

    # ---- TR026 ----

    def test_order_of_a_count_that_nobody_reads(self):
        self.expect_body("int", "n", self.ADD % ("0", "1", "ACQ_REL"), ["TR026"])

    def test_what_is_read_may_need_the_order(self):
        body = "order[tile_bid(0)] = tile_to_int(" + (self.ADD % ("0", "1", "ACQ_REL"))[:-1] + ");"
        self.expect_body("int", "n", body, [])

    def test_synchronisation_needs_the_order(self):
        self.expect_shipped("last_block_mean", [])


if __name__ == "__main__":
    unittest.main()

"""What is no race but worth knowing: reported with --notes alone, and where it is so alone.

    test_notes.py TILERACE
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
ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = (ROOT / "analyzer/verdict/rules.def").read_text()
NOTES = set(re.findall(r'^RULE\(\w+, "(TR\d+)", "[\w-]+", LEVEL_NOTE,', RULES, re.MULTILINE))
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
        without = [f["rule"] for f in plain["findings"] if f["rule"] in NOTES]
        self.assertEqual(without, [], "a note is reported without --notes: call it from rule_notes")
        for key in ("verdict", "requires", "trust"):
            self.assertEqual(noted[key], plain[key], f"--notes changes '{key}': a note must not")
        rest = [f for f in noted["findings"] if f["rule"] not in NOTES]
        self.assertEqual(rest, plain["findings"], "--notes adds or changes a finding whose level in rules.def is not NOTE")
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

    DRAW = "tile_to_int(tile_atomic_add(tile_pointers(%s, 0), 1, TILE_ACQ_REL, TILE_DEVICE))"

    def test_a_number_that_is_drawn_is_drawn_in_any_order(self):
        body = "order[tile_bid(0)] = %s;" % (self.DRAW % "sum")
        self.expect_body("int", "n", body, ["TR026"])

    def test_two_words_are_seen_in_an_order(self):
        body = "int a = %s, b = %s;" % (self.DRAW % "sum", self.DRAW % "order")
        self.expect_body("int", "n", body + "tile_assert(a <= n && b <= n);", [])

    def test_synchronisation_needs_the_order(self):
        self.expect_shipped("last_block_mean", [])

    def strengthened(self, name, expected, *changes):
        text = (ROOT / "kernels" / (name + ".c")).read_text()
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kernel.c"
            path.write_text(text)
            self.expect(path, expected)

    ACQUIRE = ("TILE_ACQUIRE", "TILE_ACQ_REL")
    RELEASE = ("0, TILE_RELEASE", "0, TILE_ACQ_REL")

    def test_half_of_an_order_is_enough_for_a_lock(self):
        self.strengthened("matmul_locked", ["TR026"] * 2, self.ACQUIRE, self.RELEASE)
        self.strengthened("matmul_counted", ["TR026"], self.ACQUIRE)

    def test_half_of_an_order_is_enough_to_wait(self):
        self.strengthened("message_passing", ["TR023", "TR026"], self.ACQUIRE)

    def test_flags_of_a_chain_are_several_words(self):
        self.strengthened("scan_chained", ["TR023"], self.ACQUIRE)

    def test_scope_beyond_this_gpu(self):
        device = ("TILE_DEVICE", "TILE_SYS")
        self.strengthened("last_block_sum", ["TR026"], device)
        self.strengthened("last_block_sum", [], device, ("tile_grid(", "tile_peers(TILE_SYS); tile_grid("))
        self.strengthened("histogram", [], device)

    # ---- TR027 ----

    LOAD = "token l; tile v = tile_load_ptr_tko(tile_pointers(%s, tile_bid(0)), after_none, &l);"
    STORE = "tile_store_ptr_tko(tile_pointers(%s, %s), v, after(l));"

    def test_a_token_between_two_buffers(self):
        body = self.LOAD % "sum" + self.STORE % ("order", "tile_bid(0)")
        self.expect_body("int", "n", body, ["TR027"])

    def test_a_token_between_two_accesses_of_one_element(self):
        body = self.LOAD % "sum" + self.STORE % ("sum", "tile_bid(0)")
        self.expect_body("int", "n", body, [])

    def test_a_token_between_elements_that_may_be_one(self):
        body = self.LOAD % "sum" + self.STORE % ("sum", "n - 1 - tile_bid(0)")
        self.expect_body("int", "1", body, [])
        self.expect_body("int", "1", "tile_assume(n > 1);" + body, ["TR027"])

    JOIN = (
        "token l, m; tile v = tile_load_ptr_tko(tile_pointers(sum, tile_bid(0)), after_none, &l);"
        "tile_load_ptr_tko(tile_pointers(order, tile_bid(0)), after_none, &m);"
        "tile_store_ptr_tko(tile_pointers(%s, tile_bid(0)), v, after(l, m));"
    )

    def test_one_of_two_tokens(self):
        self.expect_body("int", "n", self.JOIN % "sum", ["TR027"])

    LOOP = """
    token t = make_token();
    for (int i = 0; i < 4; i++)
        t = tile_store_ptr_tko(tile_pointers(sum, %s), i, after(t));"""

    def test_iterations_that_store_to_one_element(self):
        self.expect_body("int", "1", self.LOOP % "0", [])

    def test_iterations_that_store_apart(self):
        self.expect_body("int", "1", "tile_assume(n > 3);" + self.LOOP % "i", ["TR027"])

    def test_a_relaxed_pair_is_free_of_races_and_still_ordered(self):
        body = """
    token t = tile_store_masked_tko(tile_pointers(sum, tile_bid(0)), 1, true, TILE_RELAXED,
                                    TILE_BLOCK, after_none), l;
    tile v = tile_load_masked_tko(tile_pointers(sum, tile_bid(0)), true, 0, TILE_RELAXED,
                                  TILE_BLOCK, after(t), &l);
    tile_store_ptr_tko(tile_pointers(order, tile_bid(0)), v, after_none);"""
        self.expect_body("int", "n", body, [])

    def test_litmus_files_that_synchronise_need_their_tokens(self):
        for name in ("50_mp_rel_acq", "70_last_block", "76_spin_lock", "59_mp_tile_flag"):
            for path in sorted((ROOT / "models/tileir_memory/litmus").glob(name + "*.c")):
                with self.subTest(path.name):
                    found = self.check(path, "--notes")["findings"]
                    self.assertEqual([f for f in found if f["rule"] == "TR027"], [])


if __name__ == "__main__":
    unittest.main()

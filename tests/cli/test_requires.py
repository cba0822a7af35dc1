"""No require hides a race: kernels that race in a way that a tempting require would exclude, and
fragments that say what the require says and no more.

    test_requires.py TILERACE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
HEAD = "#include <tile.h>\n"

# Assumed of every launch without being asked for.
DEFAULTS = ("distinct-buffers", "grid-axis")


class Kernels(unittest.TestCase):
    def check(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kernel.c"
            path.write_text(HEAD + text)
            command = [TILERACE, "check", "--format", "json", *options, str(path)]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        entry = json.loads(run.stdout)["inputs"][0]
        self.assertEqual(entry["status"], "checked", entry["error"])
        return entry["kernels"][0]

    def verdict(self, text, expected):
        kernel = self.check(text)
        asked = [r["text"] for r in kernel["requires"]]
        self.assertEqual(kernel["verdict"], expected, f"{asked}\n{kernel.get('reason')}")
        return kernel

    # ---- One block alone would be race-free ----

    def test_every_block_writes_one_tile(self):
        self.verdict(
            """
tile_kernel void k(int *out_, int n)
{
    tile_view out = tile_partition(tile_tensor(out_, n), 64);
    tile_store(out, tile_iota(64) + tile_bid(0), 0);
}
""",
            "race",
        )

    def test_loop_of_step_one(self):
        """grid.x <= 1 would do: the grid bound of a loop whose stride is 1."""
        self.verdict(
            """
tile_kernel void k(float *x_, int n)
{
    tile_view x = tile_partition(tile_tensor(x_, n), 64);
    for (int i = tile_bid(0); i < tile_tiles(x, 0); i++)
        tile_store(x, tile_load(x, i) + 1.0f, i);
}
""",
            "race",
        )

    def test_head_dropped(self):
        """H == 1 would do."""
        self.verdict(
            """
tile_kernel void k(const float *in_, float *out_, int B, int H)
{
    tile_assume(B > 0 && B < 1000 && H > 0 && H < 1000);
    tile_view in = tile_partition(tile_tensor(in_, B, H, 64), 1, 1, 64);
    tile_view out = tile_partition(tile_tensor(out_, B, 64), 1, 64);
    tile t = tile_load(in, tile_bid(0) / H, tile_bid(0) % H, 0);
    tile_store(out, tile_reshape(t, 1, 64), tile_bid(0) / H, 0);
}
""",
            "race",
        )

    def test_head_dropped_without_contract(self):
        """The same with nothing stated: neither H <= 1 nor grid.x <= 1 may be asked for."""
        self.verdict(
            """
tile_kernel void k(const float *in_, float *out_, int B, int H)
{
    tile_view in = tile_partition(tile_tensor(in_, B, H, 64), 1, 1, 64);
    tile_view out = tile_partition(tile_tensor(out_, B, 64), 1, 64);
    tile t = tile_load(in, tile_bid(0) / H, tile_bid(0) % H, 0);
    tile_store(out, tile_reshape(t, 1, 64), tile_bid(0) / H, 0);
}
""",
            "race",
        )

    def test_index_space_of_one_tile(self):
        """Another view has one tile only, so that its index space would allow one block only."""
        kernel = self.check(
            """
tile_kernel void k(const float *one_, float *out_, int n)
{
    tile_view one = tile_partition(tile_tensor(one_, 64), 64);
    tile_view out = tile_partition(tile_tensor(out_, n), 64);
    tile_store(out, tile_load(one, tile_bid(0)), 0);
}
"""
        )
        self.assertNotEqual(kernel["verdict"], "race-free")
        for require in kernel["requires"]:
            self.assertNotIn("grid.x <= 1", require["text"])

    # ---- A true statement makes no answer worse ----

    def test_stated_grid_may_be_bounded(self):
        self.verdict(
            """
tile_kernel void k(float *x_, int n)
{
    tile_assume(0 < n && n <= 1 << 20 && tile_grid_extent(0) <= 65536);
    tile_view x = tile_partition(tile_tensor(x_, n), 64);
    for (int i = tile_bid(0); i < tile_tiles(x, 0); i += 132)
        tile_store(x, tile_load(x, i) + 1.0f, i);
}
""",
            "conditional",
        )

    def test_stated_contents_may_be_unique(self):
        self.verdict(
            """
tile_kernel void k(const int *index_, int *out_, int n)
{
    tile_assume(0 < n && n <= 1 << 20);
    tile_grid(tile_cdiv(n, 16));
    tile_extent(index_, n);
    tile_contents(index_, 0, n - 1);
    tile_view index = tile_partition(tile_tensor(index_, n), 16);
    tile i = tile_load(index, tile_bid(0));
    tile inside = tile_lt(tile_bid(0) * 16 + tile_iota(16), n);
    tile_store_masked(tile_pointers(out_, i), tile_iota(16) + tile_bid(0), inside);
}
""",
            "conditional",
        )

    # ---- What is asked for ----

    def test_grid_bound(self):
        kernel = self.verdict(
            """
tile_kernel void k(float *x_, int n)
{
    tile_view x = tile_partition(tile_tensor(x_, n), 64);
    for (int i = tile_bid(0); i < tile_tiles(x, 0); i += 132)
        tile_store(x, tile_load(x, i) + 1.0f, i);
}
""",
            "conditional",
        )
        self.assertIn("grid.x <= 132", [r["text"] for r in kernel["requires"]])

    def test_axis_fragment(self):
        """grid.y is 1 by default; that says nothing of grid.z, which the kernel reads."""
        kernel = self.verdict(
            """
tile_kernel void k(float *x_, int n, int m)
{
    tile_view x = tile_partition(tile_tensor(x_, m, n), 1, 64);
    tile_store(x, tile_load(x, tile_bid(2), tile_bid(0)) + 1.0f, tile_bid(2), tile_bid(0));
}
""",
            "race-free",
        )
        fragments = [r["contract"] for r in kernel["requires"] if r["kind"] == "grid-axis"]
        self.assertEqual(fragments, [{"grid": ["grid.x", 1, "grid.z"]}])

    def test_implied_facts_are_not_asked_for(self):
        """As many blocks as tiles: that there are tiles at all follows."""
        kernel = self.verdict(
            """
tile_kernel void k(float *x_, int n)
{
    tile_view x = tile_partition(tile_tensor(x_, n), 64);
    tile_store(x, tile_load(x, tile_bid(0)) + 1.0f, tile_bid(0));
}
""",
            "race-free",
        )
        asked = [r["text"] for r in kernel["requires"] if r["kind"] not in DEFAULTS]
        self.assertEqual(asked, ["grid.x <= (n + 63) / 64"])

    def test_tickets_are_for_many_blocks(self):
        """No block id is read, and still it takes more than one block to share a queue."""
        kernel = self.check(
            """
tile_kernel void k(int *queue_, float *x_, int n)
{
    tile_view x = tile_partition(tile_tensor(x_, n), 64);
    int ticket = tile_atomic_add(tile_pointers(queue_, 0), 1, TILE_RELAXED, TILE_DEVICE);
    if (ticket < n / 64)
        tile_store(x, tile_load(x, ticket / 2) + 1.0f, ticket / 2);
}
"""
        )
        self.assertNotEqual(kernel["verdict"], "race-free")
        asked = [r["text"] for r in kernel["requires"]]
        self.assertFalse([text for text in asked if text.startswith("grid.x is 1")], asked)

    # ---- Why it is unknown ----

    def test_updates_beside_those_of_the_kernel_before(self):
        kernel = self.verdict(
            """
tile_kernel void k(int *count, int n)
{
    tile_grid(n);
    tile_extent(count, 1);
    tile_dependent_launch();
    tile_predecessor_writes(count);
    tile_atomic_add(tile_pointers(count, 0), 1, TILE_RELAXED, TILE_DEVICE);
}
""",
            "unknown",
        )
        self.assertIn("may still write 'count'", kernel["reason"]["text"])
        self.assertIn("order and scope", kernel["reason"]["text"])



class Modules(unittest.TestCase):
    """Kernels of another compiler, of which nobody says anything: what is asked is what callers
    mean."""

    def asked(self, name, verdict="race-free"):
        path = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "python" / name
        command = [TILERACE, "check", "--format", "json", f"{path}.tilebc"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        kernel = json.loads(run.stdout)["inputs"][0]["kernels"][0]
        asked = [r["text"] for r in kernel["requires"] if r["kind"] not in DEFAULTS]
        self.assertEqual(kernel["verdict"], verdict, f"{asked}\n{kernel.get('reason')}")
        return asked

    def test_a_swizzle_is_for_rows_times_columns(self):
        asked = self.asked("matmul_grouped")
        self.assertIn("grid.x <= (a0_shape0 + 63) / 64 * ((a1_shape1 + 31) / 32)", asked)
        self.assertFalse([text for text in asked if text.startswith("grid.x <= (a1_shape1")])

    def test_a_table_has_whole_tiles_and_padding(self):
        asked = self.asked("unsort_experts", "conditional")
        self.assertIn("grid.x <= (a3_shape0 + 31) / 32 * ((a2_shape1 + 31) / 32)", asked)
        self.assertIn("a3_shape0 % 32 == 0", asked)
        padding = "among those with value >= 0 && value < a2_shape0"
        self.assertIn(f"no two elements of 'a3' are equal, {padding}", asked)

    def test_locks_are_free_and_as_many_as_groups(self):
        asked = self.asked("layer_norm_backward_tiles", "conditional")
        self.assertIn("every element of 'a4' is 0 at launch", asked)
        self.assertIn("a2_shape0 <= a4_shape0", asked)

    def test_nowhere_is_behind_the_end(self):
        asked = self.asked("quantize_groups", "conditional")
        self.assertIn("a1_shape0 <= arg11", asked)
        self.assertIn("(grid.x + 15) / 16 <= arg10", asked)

    def test_sizes_are_positive(self):
        self.assertIn("arg16 > 0", self.asked("matmul_grouped_persistent"))


if __name__ == "__main__":
    unittest.main()

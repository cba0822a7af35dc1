"""Launch contracts of version 2: elements that are stated one by one decide the launch as it is.

    test_exact_contents.py TILERACE

The oracle is Python's own arithmetic over all tile blocks: which elements each block stores.
"""

import functools
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
HEAD = "#include <tile.h>\n"


class Case:
    """One kernel and one launch, written into a folder of its own."""

    def __init__(self, text, launch, files=(), version=2):
        self.text, self.launch, self.files, self.version = text, launch, dict(files), version

    def run(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "kernel.c").write_text(HEAD + self.text)
            for name, data in self.files.items():
                (folder / name).write_bytes(data)
            contract = {"version": self.version, "launches": [self.launch]}
            (folder / "launch.json").write_text(json.dumps(contract))
            command = [TILERACE, *(options or ("check", "--format", "json"))]
            command += ["--launch", str(folder / "launch.json"), str(folder / "kernel.c")]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def kernel(self):
        run = self.run()
        entry = json.loads(run.stdout)["inputs"][0]
        if entry["status"] != "checked":
            raise AssertionError(entry["error"])
        return entry["kernels"][0]

    def error(self):
        run = self.run("check")
        return run.stdout + run.stderr if run.returncode == 2 else None


def launch_of(grid, args, contents, **more):
    """args: name -> elements, or an object."""
    listed = [{"name": n, **(a if isinstance(a, dict) else {"elements": a})} for n, a in args.items()]
    return {"grid": [grid], "args": listed, "contents": contents, **more}


SCATTER = """tile_kernel void k(float *restrict x, const int *restrict t)
{
    x[t[tile_bid(0)]] = 1.0f;
}
"""


def scatter(grid, values, n=100):
    facts = [{"buffer": "t", "values": values}]
    return Case(SCATTER, launch_of(grid, {"x": n, "t": len(values)}, facts))


class Decided(unittest.TestCase):
    def verdict(self, case, expected):
        kernel = case.kernel()
        self.assertEqual(kernel["verdict"], expected, kernel)
        self.assertEqual([r for r in kernel["requires"] if r["class"] == "race"], [])
        return kernel

    def test_duplicate_beyond_the_grid(self):
        self.verdict(scatter(4, [3, 1, 2, 0, 3, 3]), "race-free")

    def test_duplicate_inside_names_both_elements(self):
        kernel = self.verdict(scatter(6, [3, 1, 2, 0, 7, 1, 9]), "race")
        events = kernel["findings"][0]["witness"]["events"]
        looked_up = sorted((e["lookups"][0]["element"], e["lookups"][0]["value"]) for e in events)
        self.assertEqual(looked_up, [(1, 1), (5, 1)])

    def test_text_names_both_elements(self):
        out = scatter(6, [3, 1, 2, 0, 7, 1, 9]).run("check").stdout
        self.assertIn("reads t[1] = 1 and stores x[1]", out)
        self.assertIn("reads t[5] = 1 and stores x[1]", out)

    def test_elements_that_leave_the_buffer(self):
        kernel = scatter(6, [3, 1, 2, 0, 100, 5]).kernel()
        self.assertEqual([f["rule"] for f in kernel["findings"]], ["TR008"])

    def test_long_table(self):
        values = [i * 7919 % 100003 for i in range(60000)]
        self.verdict(scatter(50000, values, 100003), "race-free")
        values[40000] = values[123]
        kernel = self.verdict(scatter(50000, values, 100003), "race")
        events = kernel["findings"][0]["witness"]["events"]
        self.assertEqual(sorted(e["lookups"][0]["element"] for e in events), [123, 40000])
        self.verdict(scatter(40000, values, 100003), "race-free")

    def test_padding_is_masked(self):
        text = SCATTER.replace("x[t[tile_bid(0)]]", "if (t[tile_bid(0)] >= 0) x[t[tile_bid(0)]]")
        for values, expected in ([3, 1, -1, -1, 0], "race-free"), ([3, 1, -1, -1, 3], "race"):
            case = scatter(5, values)
            case.text = text
            self.verdict(case, expected)

    def test_long_table_with_padding(self):
        """Too many elements are equal for all of them to be told to a solver."""
        text = """tile_kernel void k(float *restrict x, const int *restrict t)
{
    tile i = tile_iota(8) + 8 * tile_bid(0), to = tile_load_ptr(tile_pointers(t, i));
    tile rows = tile_broadcast(tile_reshape(to, 8, 1), 8, 4);
    tile columns = tile_broadcast(tile_reshape(tile_iota(4), 1, 4), 8, 4);
    tile_store_masked(tile_pointers(x, 4 * rows + columns), tile_zeros(float, 8, 4), tile_ge(rows, 0));
}
"""
        values = [i * 7919 % 100003 if i % 3 else -1 for i in range(20000)]
        values[19999] = values[124]
        case = scatter(2500, values, 4 * 100003)
        case.text = text
        kernel = self.verdict(case, "race")
        events = kernel["findings"][0]["witness"]["events"]
        self.assertEqual(sorted(e["lookups"][0]["element"] for e in events), [124, 19999])

    def test_pieces_of_an_offset_table(self):
        text = """tile_kernel void k(float *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    for (int i = t[b]; i < t[b + 1]; i++)
        x[i] = 1.0f;
}
"""
        for values, expected in ([0, 3, 3, 7, 20, 22], "race-free"), ([0, 3, 2, 7, 9, 22], "race"):
            case = scatter(5, values)
            case.text = text
            self.verdict(case, expected)

    def test_pairs_of_two_tables(self):
        text = """tile_kernel void k(float *restrict x, const int *restrict s, const int *restrict p)
{
    int b = tile_bid(0);
    x[16 * s[b] + p[b]] = 1.0f;
}
"""
        seq = [0, 0, 1, 1, 2]
        for pos, expected in ([0, 1, 0, 1, 0], "race-free"), ([0, 1, 5, 5, 0], "race"):
            facts = [{"buffer": "s", "values": seq}, {"buffer": "p", "values": pos}]
            launch = launch_of(5, {"x": 64, "s": 5, "p": 5}, facts)
            self.verdict(Case(text, launch), expected)

    def test_no_precondition_on_known_elements(self):
        """What would be asked of a table that nobody knows is no condition where it is known."""
        kernel = scatter(3, [5, 5, 5]).kernel()
        self.assertEqual(kernel["verdict"], "race")
        free = Case(SCATTER, launch_of(3, {"x": 100, "t": 3}, []))
        self.assertEqual(free.kernel()["verdict"], "conditional")

    def test_assumptions_that_no_launch_meets(self):
        """They prove nothing, whatever is stated of elements."""
        text = SCATTER.replace("const int *restrict t)", "const int *restrict t, int n, int m)")
        case = Case(text, launch_of(3, {"x": 9, "t": 3, "n": {"min": 0, "max": 9}, "m": {"min": 0, "max": 50}},
                                    [{"buffer": "t", "values": [1, 1, 2]}],
                                    assume=["n * n == 2 * m + 1", "n % 2 == 0"]))
        self.assertNotEqual(case.kernel()["verdict"], "race-free")

    def test_flags_that_are_set(self):
        """A flag that is raised already does not order."""
        text = """tile_kernel void k(int *restrict x, int *restrict f, int *restrict y)
{
    if (tile_bid(0) == 0) {
        x[0] = 1;
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0) ;
        y[0] = x[0];
    }
}
"""
        for value, expected in (0, "race-free"), (1, "race"):
            facts = [{"buffer": "f", "values": [value]}]
            self.verdict(Case(text, launch_of(2, {"x": 4, "f": 1, "y": 1}, facts)), expected)


HEADER = """tile_kernel void k(int *restrict y, int *restrict t, int *restrict f, const float *restrict w)
{
    int b = tile_bid(0);
"""


class Whole(unittest.TestCase):
    """A launch of which nothing is left open: what the prover leaves open a run decides, and only
    where no tile block reads what another may write."""

    def verdict(self, body, values, grid=3, args=None, flags=None):
        facts = [{"buffer": "t", "values": values}]
        if flags:
            facts.append({"buffer": "f", "values": flags})
        args = args or {"y": 40, "t": len(values), "f": 4, "w": 8}
        return Case(HEADER + body + "}\n", launch_of(grid, args, facts)).kernel()

    def is_free(self, body, values, **more):
        kernel = self.verdict(body, values, **more)
        self.assertEqual(kernel["verdict"], "race-free", kernel)
        self.assertEqual(kernel.get("requires", []), [])
        self.assertEqual(kernel["obligations"]["unknown"], 0)

    def is_not_free(self, body, values, expected=None, **more):
        kernel = self.verdict(body, values, **more)
        self.assertIn(kernel["verdict"], (expected,) if expected else ("race", "unknown"), kernel)

    CHASE = "    int i = b; for (int n = 0; n < 3; n++) i = t[i]; y[i] = 1;\n"

    def test_elements_of_elements(self):
        self.is_free(self.CHASE, [1, 5, 3, 4, 0, 2])
        self.is_not_free(self.CHASE, [1, 5, 3, 4, 0, 1], "race", grid=6)

    def test_own_sums(self):
        body = """    int s = 0;
    for (int i = 0; i < b; i++) s += t[i];
    for (int i = 0; i < t[b]; i++) y[s + i] = 1;
"""
        self.is_free(body, [1, 4, 2, 3, -2, -1])
        self.is_not_free(body, [4, -2, 2, 3], "race")

    def test_reduced(self):
        body = """    tile e = tile_iota(8);
    int m = tile_to_int(tile_reduce_max(tile_load_masked(tile_pointers(t, e), tile_le(e, b), 0), 0));
    y[m] = 1;
"""
        self.is_free(body, [2, 4, 6, 8, 9, 10, 11, 12])
        self.is_not_free(body, [2, 4, 3, 8, 9, 10, 11, 12], "race")

    def test_updated_in_place(self):
        body = "    t[b] = 2 * t[b]; y[t[b]] = 1;\n"
        self.is_free(body, [4, 2, 11, 0])
        self.is_not_free(body, [4, 2, 2, 0], "race")
        self.is_not_free("    t[b + 1] = t[b]; y[t[b]] = 1;\n", [4, 2, 11, 0], "race")

    def test_elements_that_nobody_states(self):
        self.is_not_free(self.CHASE, [1, 5, 3, 4, 0, 2], args={"y": 40, "t": 9, "f": 4, "w": 8}, grid=7)
        self.is_not_free(self.CHASE.replace("t[i]", "f[i]"), [1])

    def test_numbers_that_nobody_states(self):
        text = HEADER.replace("*restrict w)", "*restrict w, int m)") + self.CHASE.replace("3", "m") + "}\n"
        facts = [{"buffer": "t", "values": [1, 5, 3, 4, 0, 2]}]
        for n, expected in ({"value": 4}, "race-free"), ({"min": 0, "max": 4}, "unknown"):
            args = {"y": 40, "t": 6, "f": 4, "w": 8, "m": n}
            kernel = Case(text, launch_of(3, args, facts)).kernel()
            self.assertEqual(kernel["verdict"], expected, kernel)

    def test_what_another_block_may_change(self):
        """In the order of the ids no two blocks store y[0]; in the other one both do."""
        add = "tile_to_int(tile_atomic_add(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE))"
        look = "tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_RELAXED, TILE_DEVICE))"
        raise_ = "tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE)"
        chase = self.CHASE.replace("y[i]", "y[10 + i]")
        for body in (f"    int n = {add};\n    if (b == 1 || n == 1) y[0] = 1;\n",
                     f"    if (b == 1) {{ y[0] = 1; {raise_}; }}\n    else if ({look}) y[0] = 1;\n"):
            self.is_not_free(body + chase, [1, 0], grid=2, flags=[0])

    def test_atomics_whose_values_nobody_reads(self):
        add = "    tile_atomic_add(tile_pointers(f, 0), 1, TILE_RELAXED, TILE_DEVICE);\n"
        self.is_free(add + self.CHASE, [1, 5, 3, 4, 0, 2])
        self.is_not_free(add + self.CHASE + "    if (b == 0) y[30] = f[0];\n", [1, 5, 3, 4, 0, 2], "race")

    def test_order_inside_a_block(self):
        body = """    token stored = tile_store_ptr_tko(tile_pointers(y, b), 1, after_none), loaded;
    int i = tile_to_int(tile_load_ptr_tko(tile_pointers(y, b), ORDER, &loaded));
"""
        chase = self.CHASE.replace("y[i]", "y[10 + i]").replace("int i", "int j").replace("i", "j")
        chase = chase.replace("jnt", "int")
        self.is_free(body.replace("ORDER", "after(stored)") + chase, [1, 5, 3, 4, 0, 2])
        self.is_not_free(body.replace("ORDER", "after_none") + chase, [1, 5, 3, 4, 0, 2], "race")

    def test_floats(self):
        chase = self.CHASE.replace("y[i]", "y[10 + i]")
        self.is_not_free("    if (w[b] > 0.5f) y[0] = 1;\n" + chase, [1, 5, 3, 4, 0, 2])

    def test_float_that_is_stated(self):
        text = HEADER.replace("*restrict w)", "*restrict w, float s)")
        text += "    if (s > 0.5f) y[0] = 1;\n    if (s > 0.0f) y[20 + b] = 1;\n}\n"
        for value, expected in (0, "race-free"), (0.25, "race-free"), (0.75, "race"), (None, "race"):
            args = {"y": 40, "t": 6, "f": 4, "w": 8, "s": {} if value is None else {"value": value}}
            kernel = Case(text, launch_of(3, args, [])).kernel()
            self.assertEqual(kernel["verdict"], expected, (value, kernel))
        args["s"] = {"value": "inf"}
        self.assertEqual(Case(text, launch_of(3, args, [])).kernel()["verdict"], "race")

    def errors(self, body, values, **more):
        kernel = self.verdict(body, values, **more)
        return kernel["verdict"], [f["rule"] for f in kernel["findings"] if f["level"] == "error"]

    def test_outside_a_buffer(self):
        """What a run of the whole launch does outside a buffer is an error, and hides no race."""
        chase = [1, 5, 3, 4, 0, 2]
        short = {"y": 3, "t": 6, "f": 4, "w": 8}
        self.assertEqual(self.errors(self.CHASE, chase, args=short), ("race-free", ["TR008"]))
        self.assertEqual(self.errors(self.CHASE, [1, 5, 3, 4, 0, 1], grid=6, args=short)[0], "race")
        leaves = self.errors(self.CHASE, [1, 5, 3, 4, 0, 9])
        self.assertEqual((leaves[0] == "race-free", leaves[1]), (False, ["TR008"]))
        before = self.CHASE.replace("y[i]", "y[i - 3]")
        self.assertEqual(self.errors(before, chase)[1], ["TR008"])
        self.assertEqual(self.errors(before.replace("- 3", "+ 3"), chase), ("race-free", []))

    def test_outside_a_buffer_in_an_unstated_launch(self):
        """Elements that nobody states make no error: a precondition says which there may be."""
        args = {"y": 3, "t": 9, "f": 4, "w": 8}
        for values in [1, 5, 3, 4, 0, 2], [1, 8, 3, 4, 0, 2]:
            self.assertEqual(self.errors(self.CHASE, values, args=args)[1], [] if 8 in values else ["TR008"])

    def test_other_undefined_behaviour(self):
        body = self.CHASE.replace("y[i] = 1", "y[b] = 8 / i")
        self.assertEqual(self.errors(body, [1, 5, 3, 4, 0, 2], grid=2)[1], [])
        self.assertEqual(self.errors(body, [1, 5, 0, 4, 0, 2])[1], ["TR010"])


class Forms(unittest.TestCase):
    def test_raw_file(self):
        raw = struct.pack("<6i", 3, 1, 2, 0, 3, -1)
        facts = [{"buffer": "t", "file": "t.bin"}]
        for grid, expected in (4, "race-free"), (5, "race"):
            case = Case(SCATTER, launch_of(grid, {"x": 9, "t": 6}, facts), {"t.bin": raw})
            self.assertEqual(case.kernel()["verdict"], expected)

    def test_widths_and_signs(self):
        for ctype, top, more in (
            ("unsigned char", 255, "B"),
            ("signed char", 127, "b"),
            ("unsigned short", 65535, "H"),
            ("short", 32767, "h"),
            ("unsigned", 4000, "I"),
            ("long long", 4000, "q"),
        ):
            text = SCATTER.replace("const int", "const " + ctype)
            for values, expected in ([top, 0, 7], "race-free"), ([top, 0, top], "race"):
                raw = struct.pack("<3" + more, *values)
                for facts in {"values": values}, {"file": "t.bin"}:
                    launch = launch_of(3, {"x": 65536, "t": 3}, [{"buffer": "t", **facts}])
                    kernel = Case(text, launch, {"t.bin": raw}).kernel()
                    self.assertEqual(kernel["verdict"], expected, (ctype, facts))

    def test_view_of_a_larger_buffer(self):
        """Every second element from the fourth on; between them lies what nobody knows."""
        text = """tile_kernel void k(float *restrict x, const int *restrict t)
{
    x[t[3 + 2 * tile_bid(0)]] = 1.0f;
}
"""
        view = {"offset": 3, "extents": [4], "strides": [2]}
        for values, expected in ([4, 5, 6, 7], "race-free"), ([4, 5, 4, 7], "race"):
            facts = [{"buffer": "t", "view": view, "values": values}]
            kernel = Case(text, launch_of(4, {"x": 9, "t": 12}, facts)).kernel()
            self.assertEqual(kernel["verdict"], expected)
        between = Case(text.replace("3 +", "2 +"), launch_of(4, {"x": 9, "t": 12}, facts))
        self.assertNotEqual(between.kernel()["verdict"], "race-free")

    def test_two_dimensions(self):
        text = """tile_kernel void k(float *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    x[t[10 * (b / 3) + b % 3]] = 1.0f;
}
"""
        view = {"extents": [2, 3], "strides": [10, 1]}
        for values, expected in (list(range(6)), "race-free"), ([0, 1, 2, 3, 4, 1], "race"):
            facts = [{"buffer": "t", "view": view, "values": values}]
            kernel = Case(text, launch_of(6, {"x": 9, "t": 20}, facts)).kernel()
            self.assertEqual(kernel["verdict"], expected)

    def test_one_of_two_pointers_into_a_buffer(self):
        text = """tile_kernel void k(float *restrict x, const int *t, const int *u)
{
    x[u[tile_bid(0)]] = 1.0f;
}
"""
        args = {"x": 9, "t": {"buffer": "all", "offset": 0, "elements": 4},
                "u": {"buffer": "all", "offset": 4, "elements": 4}}
        for values, expected in ([1, 2, 3, 4], "race-free"), ([1, 2, 2, 4], "race"):
            for where in {"arg": "u"}, {"view": {"offset": 4}}:
                facts = [{"buffer": "all", "values": values, **where}]
                kernel = Case(text, launch_of(4, args, facts)).kernel()
                self.assertEqual(kernel["verdict"], expected, (where, kernel))

    def test_pointers_of_several_types_into_a_buffer(self):
        """Each pointer's elements are stated by its name; bytes that nobody states are unknown."""
        text = """tile_kernel void k(int *y, const short *t, const int *u, const float *w)
{
    int b = tile_bid(0);
    y[9 * t[b] + u[b]] = 1;
}
"""
        args = {"y": 100,
                "t": {"buffer": "all", "byte_offset": 0, "elements": 6},
                "u": {"buffer": "all", "byte_offset": 12, "elements": 6},
                "w": {"buffer": "all", "byte_offset": 36, "elements": 6}}

        def facts(t, u):
            return [{"buffer": "all", "arg": n, "values": v} for n, v in (("t", t), ("u", u)) if v]

        for t, u, expected in (([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1], "race-free"),
                               ([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 5, 5], "race"),
                               ([0, 0, 1, 1, 2, 2], [9, 1, 0, 1, 0, 1], "race"),
                               ([0, -1, 1, 1, 2, 2], [0, 9, 0, 1, 0, 1], "race")):
            kernel = Case(text, launch_of(6, args, facts(t, u))).kernel()
            self.assertEqual(kernel["verdict"], expected, (t, u, kernel))
        chased = text.replace("    y[", "    int i = b; for (int n = 0; n < 3; n++) i = u[i];\n    y[")
        chased = chased.replace("u[b]]", "i]")
        for u, expected in ([1, 2, 3, 4, 5, 0], "race-free"), ([1, 2, 2, 4, 5, 0], "race"):
            kernel = Case(chased, launch_of(6, args, facts([0] * 6, u))).kernel()
            self.assertEqual(kernel["verdict"], expected, (u, kernel))
        unstated = Case(text, launch_of(6, args, facts([0, 0, 1, 1, 2, 2], None))).kernel()
        self.assertNotEqual(unstated["verdict"], "race-free")
        overlaid = {**args, "u": {"buffer": "all", "byte_offset": 8, "elements": 6}}
        kernel = Case(text, launch_of(6, overlaid, facts([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 5, 5]))).kernel()
        self.assertNotEqual(kernel["verdict"], "race-free")

    def test_bools(self):
        text = """tile_kernel void k(int *restrict y, const bool *restrict t)
{
    int b = tile_bid(0);
    y[t[b] ? 0 : b + 1] = 1;
}
"""
        for values, expected in ([1, 0, 0, 1], "race-free"), ([1, 0, 1, 1], "race"):
            for facts in {"values": values}, {"file": "t.bin"}:
                case = Case(text, launch_of(3, {"y": 9, "t": 4}, [{"buffer": "t", **facts}]), {"t.bin": bytes(values)})
                self.assertEqual(case.kernel()["verdict"], expected, (values, facts))
        self.assertEqual(Case(text, launch_of(3, {"y": 9, "t": 4}, [])).kernel()["verdict"], "race")

    def test_bools_that_all_blocks_read(self):
        """One element, whatever it is, leads all blocks the same way."""
        text = """tile_kernel void k(int *restrict y, const bool *restrict t)
{
    int b = tile_bid(0);
    if (t[WHICH]) { if (b == 0) y[0] = 1; } else if (b == 1) y[0] = 1;
}
"""
        for which, expected in ("0", "race-free"), ("b", "race"):
            case = Case(text.replace("WHICH", which), launch_of(3, {"y": 9, "t": 4}, []))
            self.assertEqual(case.kernel()["verdict"], expected)

    def test_empty_grid(self):
        case = scatter(0, [1, 1])
        kernel = case.kernel()
        self.assertEqual((kernel["verdict"], kernel["empty_launch"]), ("race-free", True))
        self.assertIn("no tile blocks", case.run("check").stdout)
        self.assertEqual(json.loads(case.run("contract").stdout)["launches"][0]["grid"][0], 0)
        ran = case.run("run", "--device", "cpu")
        self.assertEqual((ran.returncode, "no tile blocks" in ran.stderr), (2, True))
        case.version = 1
        case.launch["contents"] = []
        self.assertIn("1 to 2^24 - 1", case.error())

    def test_offsets_in_bytes(self):
        """Two arrays of different element types in one buffer, side by side or over each other."""
        text = """tile_kernel void k(short *a, int *b)
{
    int i = tile_bid(0);
    a[i] = 1;
    b[i] = 2;
}
"""
        for offset, expected in (16, "race-free"), (12, "race"):
            args = {"a": {"buffer": "all", "byte_offset": 0, "elements": 8},
                    "b": {"buffer": "all", "byte_offset": offset, "elements": 8}}
            kernel = Case(text, launch_of(8, args, [])).kernel()
            self.assertEqual(kernel["verdict"], expected)
        for more, sentence in (
            ({"byte_offset": 6}, "an element of `b` has 4 bytes"),
            ({"byte_offset": 8, "offset": 2}, "not both"),
            ({"byte_offset": "grid.x"}, "a number must stand here"),
        ):
            args = {"a": 8, "b": {"elements": 8, **more}}
            self.assertIn(sentence, Case(text, launch_of(8, args, [])).error())

    def test_numbers_that_json_has_not(self):
        text = """tile_kernel void k(float *x, float f)
{
    x[tile_bid(0)] = f;
}
"""
        for value in "nan", "inf", "-inf", 0.5:
            case = Case(text, launch_of(2, {"x": 2, "f": {"value": value}}, []))
            self.assertEqual(case.kernel()["verdict"], "race-free")
            self.assertEqual(case.run("run", "--device", "cpu").returncode, 0)
        case.launch["args"][1]["value"] = "many"
        self.assertIn("`f` is a float", case.error())

    def test_source_of_the_launch(self):
        case = scatter(2, [0, 1])
        case.launch["source"] = {"file": "train.py", "line": 31, "program": "recorder"}
        self.assertEqual(case.kernel()["verdict"], "race-free")

    def test_the_contract_given_back(self):
        case = scatter(4, [3, 1, 2, 0, 3])
        written = json.loads(case.run("contract").stdout)
        self.assertEqual(written["version"], 2)
        case.launch = written["launches"][0]
        self.assertEqual(case.kernel()["verdict"], "race-free")


class Refused(unittest.TestCase):
    def refused(self, sentence, facts, files=(), version=2, text=SCATTER, args=None):
        args = args or {"x": 100, "t": 4}
        error = Case(text, launch_of(2, args, facts), files, version).error()
        self.assertIsNotNone(error)
        self.assertIn(sentence, error)

    def test_runs_of_many_accesses(self):
        """What a proof leaves in words a run of the launch decides, here of 9 million elements: tiles
        are numbered through groups whose sizes a table says, and twelve blocks go by twelve."""
        kernel = """tile_kernel void k(float *restrict y, const float *restrict x,
                                       const int *restrict sizes, int groups)
            {
                int at = tile_bid(0), end = 0;
                for (int g = 0; g < groups; g++) {
                    int n = (sizes[g] + 127) / 128;
                    while (at >= end && at < end + n) {
                        tile lane = tile_iota(8192), sum = tile_zeros(float, 8192);
                        for (int i = 0; i < 64; i++)
                            sum = sum + tile_load_ptr(tile_pointers(x, lane + i * 8192));
                        tile_store_ptr(tile_pointers(y, lane + at * 8192), sum);
                        at += 12;
                    }
                    end = end + n;
                }
            }
        """
        facts = [{"buffer": "sizes", "values": [1000, 128, 1, 700]}]
        args = {"y": 8192 * 40, "x": 64 * 8192, "sizes": 4, "groups": {"value": 4}}
        right = Case(kernel, launch_of(12, args, facts)).kernel()
        self.assertEqual((right["verdict"], right["requires"]), ("race-free", []))
        self.assertEqual(Case(kernel, launch_of(13, args, facts)).kernel()["verdict"], "race")

    def test_sentences(self):
        for sentence, more in (
            ("no integer of 32 bits", {"values": [1, 1 << 32]}),
            ("no integer of 32 bits", {"values": [1, "-2147483649"]}),
            ("no integer of 32 bits", {"values": [1, "x"]}),
            ("`values` or `file`, not both", {"values": [1], "file": "t.bin"}),
            ("no other fact stands beside", {"values": [1], "unique": True}),
            ("the view has 3 elements", {"values": [1], "view": {"extents": [3]}}),
            ("the view has 1 dimensions", {"values": [1], "view": {"extents": [1], "strides": [1, 1]}}),
            ("two values are given", {"values": [1, 2], "view": {"extents": [2], "strides": [0]}}),
            ("before its pointer", {"values": [1, 2], "view": {"extents": [2], "strides": [-1]}}),
            ("a file beside the contract", {"file": "../t.bin"}),
            ("a file beside the contract", {"file": "/etc/passwd"}),
            ("a file beside the contract", {"file": ".hidden"}),
            ("cannot be read", {"file": "none.bin"}),
            ("an element 4", {"file": "t.bin"}),
            ("no argument `z` points", {"arg": "z", "values": [1]}),
            ("stated one by one", {"view": {"offset": 0}, "min": 0}),
            ("did you mean `offset`", {"values": [1], "view": {"ofset": 0}}),
        ):
            self.refused(sentence, [{"buffer": "t", **more}], {"t.bin": b"12345"})

    def test_twice(self):
        self.refused("stated already", [{"buffer": "t", "values": [1]}, {"buffer": "t", "values": [1]}])

    def test_floats(self):
        self.refused("holds no integers", [{"buffer": "x", "values": [1]}])

    def test_version_1(self):
        self.refused("this key is of version 2", [{"buffer": "t", "values": [1]}], version=1)
        self.refused("version 1 and 2 only", [], version=3)

    def test_contradicts_the_source(self):
        for stated, values in (
            ("tile_unique(t);", [1, 1]),
            ("tile_contents(t, 0, 5);", [1, 6]),
            ("tile_contents(t, 0, 5);", [-1, 3]),
            ("tile_increasing(t);", [2, 1]),
        ):
            text = SCATTER.replace("{\n", "{\n    " + stated + "\n")
            self.refused("are not what is stated", [{"buffer": "t", "values": values}], text=text)

    def test_agrees_with_the_source(self):
        text = SCATTER.replace("{\n", "{\n    tile_unique(t); tile_contents(t, 0, 5);\n")
        case = Case(text, launch_of(2, {"x": 9, "t": 2}, [{"buffer": "t", "values": [5, 0]}]))
        self.assertEqual(case.kernel()["verdict"], "race-free")


class Oracle(unittest.TestCase):
    """Tables, kernels and launches at random, against all pairs of tile blocks."""

    SHAPES = (
        ("x[t[b]] = 1;", lambda t, u, b: {t(b)}),
        ("x[3 * t[b] + b] = 1;", lambda t, u, b: {3 * t(b) + b}),
        ("x[t[b] + u[b]] = 1;", lambda t, u, b: {t(b) + u(b)}),
        ("x[t[u[b]]] = 1;", lambda t, u, b: {t(u(b))}),
        ("x[t[b / 2] + 32 * (b % 2)] = 1;", lambda t, u, b: {t(b // 2) + 32 * (b % 2)}),
        ("if (u[b] > 3) x[t[b]] = 1;", lambda t, u, b: {t(b)} if u(b) > 3 else set()),
        ("for (int i = 0; i < u[b]; i++) x[t[b] + i] = 1;",
         lambda t, u, b: {t(b) + i for i in range(u(b))}),
        ("for (int i = 0; i < 3; i++) x[t[3 * b + i]] = 1;",
         lambda t, u, b: {t(3 * b + i) for i in range(3)}),
        ("x[t[b] ^ 5] = 1;", lambda t, u, b: {t(b) ^ 5}),
        ("x[t[b] % 7 + 8 * u[b]] = 1;", lambda t, u, b: {t(b) % 7 + 8 * u(b)}),
        ("tile_store_ptr(tile_pointers(x, tile_iota(4) + 4 * t[b]), tile_iota(4));",
         lambda t, u, b: {4 * t(b) + i for i in range(4)}),
        ("tile_store_ptr(tile_pointers(x, tile_load_ptr(tile_pointers(t, tile_iota(4) + 4 * b))),"
         " tile_iota(4));", lambda t, u, b: {t(4 * b + i) for i in range(4)}),
        ("int i = b; for (int n = 0; n < u[b]; n++) i = t[i]; x[i] = 1;",
         lambda t, u, b: {functools.reduce(lambda i, _: t(i), range(u(b)), b)}),
        ("int s = 0; for (int i = 0; i <= b; i++) s += t[i]; x[s] = 1;",
         lambda t, u, b: {sum(t(i) for i in range(b + 1))}),
        ("x[(b << u[b]) & 15] = 1;", lambda t, u, b: {(b << u(b)) & 15}),
        ("t[b] = t[b] + u[b]; x[t[b]] = 1;", lambda t, u, b: {t(b) + u(b)}),
    )

    def test_agreement(self):
        rng = random.Random(20261126)
        decided = {"race-free": 0, "race": 0}
        for _ in range(160):
            statement, stores = rng.choice(self.SHAPES)
            grid, n = rng.randint(2, 6), 24
            spread = rng.choice((8, 24))
            t = [rng.randrange(spread) for _ in range(n)]
            if rng.random() < 0.6:
                t = rng.sample(range(n), n)
            u = [rng.randrange(8) for _ in range(n)]
            if rng.random() < 0.4:
                u = rng.sample(range(n), n)
            sets = [stores(t.__getitem__, u.__getitem__, b) for b in range(grid)]
            racy = any(sets[i] & sets[j] for i in range(grid) for j in range(i))
            inside = [e for s in sets for e in s]
            # One block that stores an element twice in one tile races with itself.
            own = "tile_load_ptr" in statement and any(len(s) < 4 for s in sets)
            if own:
                continue
            text = ("tile_kernel void k(int *restrict x, int *restrict t, "
                    "const int *restrict u)\n{\n    int b = tile_bid(0);\n    " + statement + "\n}\n")
            facts = [{"buffer": "t", "values": t}, {"buffer": "u", "values": u}]
            launch = launch_of(grid, {"x": max(inside, default=0) + 1, "t": n, "u": n}, facts)
            kernel = Case(text, launch).kernel()
            expected = "race" if racy else "race-free"
            self.assertEqual(kernel["verdict"], expected, (statement, grid, t, u, kernel))
            decided[expected] += 1
        self.assertGreater(min(decided.values()), 25, decided)

    LONG_SHAPES = (
        ("if (t[b] >= 0) x[t[b]] = 1;", lambda t, b: [t[b]] if t[b] >= 0 else []),
        ("if (t[b] >= 0) x[t[b] + 200 * (b % 2)] = 1;",
         lambda t, b: [t[b] + 200 * (b % 2)] if t[b] >= 0 else []),
        ("if (b < 60 && t[b] >= 0) x[t[b]] = 1;",
         lambda t, b: [t[b]] if b < 60 and t[b] >= 0 else []),
        ("if (t[b] >= 0) x[t[b] / 2] = 1;", lambda t, b: [t[b] // 2] if t[b] >= 0 else []),
        ("if (t[b] >= 0) x[t[b]] = 1; if (t[b + 1] >= 7) x[t[b + 1] + 200] = 2;",
         lambda t, b: [e for e in (t[b],) if e >= 0] + [e + 200 for e in (t[b + 1],) if e >= 7]),
        ("if (t[b] >= 0) x[t[b]] = 1; if (t[b + 30] >= 0) x[t[b + 30]] = 2;",
         lambda t, b: [e for e in {t[b], t[b + 30]} if e >= 0]),
        ("tile r = tile_load_ptr(tile_pointers(t, tile_iota(2) + 2 * b));"
         " tile_store_masked(tile_pointers(x, r), tile_iota(2), tile_ge(r, 0));",
         lambda t, b: [t[i] for i in (2 * b, 2 * b + 1) if t[i] >= 0]),
    )

    def test_agreement_of_long_tables(self):
        """Some elements are padding, some repeated, and some of these no block reads."""
        rng = random.Random(20261128)
        decided = {"race-free": 0, "race": 0}
        for i in range(70):
            statement, stores = self.LONG_SHAPES[i % len(self.LONG_SHAPES)]
            grid, n = rng.randint(30, 45), 110
            t = rng.sample(range(200), n)
            for _ in range(rng.choice((0, 40))):
                t[rng.randrange(n)] = -1
            for _ in range(rng.randrange(3)):
                t[rng.randrange(n)] = t[rng.choice((rng.randrange(n), 100))]
            lists = [stores(t, b) for b in range(grid)]
            racy = any(len(s) > len(set(s)) for s in lists) or any(
                set(lists[a]) & set(lists[b]) for a in range(grid) for b in range(a))
            text = ("tile_kernel void k(int *restrict x, const int *restrict t)\n{\n"
                    "    int b = tile_bid(0);\n    " + statement + "\n}\n")
            kernel = Case(text, launch_of(grid, {"x": 400, "t": n},
                                          [{"buffer": "t", "values": t}])).kernel()
            expected = "race" if racy else "race-free"
            self.assertEqual(kernel["verdict"], expected, (statement, grid, t, kernel))
            decided[expected] += 1
        self.assertGreater(min(decided.values()), 20, decided)


if __name__ == "__main__":
    unittest.main()

"""tilerace run on the interpreter, and what is said where there is no GPU. Needs no NVIDIA package.

    test_run.py TILERACE FAKE_CUDA_FOLDER
"""

import json
import os
import pathlib
import pty
import re
import select
import stat
import struct
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
FAKE_CUDA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else None
CLEAN = "kernels/vector_add.c"
RACY = "build/fixtures/races/vector_add_half_index.c"
IN_ONE_BLOCK = "build/fixtures/races/softmax_chunked_missing_join.c"
PAPER = "build/fixtures/races/permute_heads_paper.c"

# Makes "machine code" of its input: its own words.
ASSEMBLER = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo machine code >"$2"
"""


def run(*words, **environment):
    env = {k: v for k, v in os.environ.items()
           if k not in ("CUTILE_TILEIRAS_PATH", "CUDA_HOME", "CUDA_TOOLKIT_PATH")}
    env.update(environment)
    return subprocess.run([TILERACE, "run", *words], capture_output=True, text=True, check=False,
                          env=env, timeout=300)


def report(*words):
    done = run(*words, "--device", "cpu", "--format", "json")
    return done.returncode, json.loads(done.stdout)


ADD = """#include <tile.h>
tile_kernel void add(float *restrict c, const float *restrict a, int *restrict count, float f)
{
    tile i = tile_iota(16) + 16 * tile_bid(0);
    tile_store_ptr(tile_pointers(c, i), tile_load_ptr(tile_pointers(a, i)) + f);
    if (tile_bid(0) == 1)
        count[2] = 7;
}
"""


class Outputs(unittest.TestCase):
    """--outputs: what the kernel leaves, against Python's own arithmetic."""

    def run_in(self, folder, text=ADD, launches=1, *words):
        folder = pathlib.Path(folder)
        (folder / "add.c").write_text(text)
        (folder / "a.bin").write_bytes(struct.pack("<64f", *range(64)))
        launch = {"grid": [4], "args": [
            {"name": "c", "elements": 64, "fill": "zeros"},
            {"name": "a", "elements": 64, "fill": {"file": "a.bin"}},
            {"name": "count", "elements": 3, "fill": "zeros"},
            {"name": "f", "value": 0.5}]}
        contract = {"version": 1, "launches": [launch] * launches}
        (folder / "launch.json").write_text(json.dumps(contract))
        return run("--outputs", str(folder / "out"), "--launch", str(folder / "launch.json"),
                   *words, str(folder / "add.c"))

    def test_values(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_in(folder)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            out = pathlib.Path(folder) / "out"
            listed = json.loads((out / "outputs.json").read_text())
            self.assertEqual(listed["kernel"], "add")
            found = {o["buffer"]: o for o in listed["outputs"]}
            self.assertEqual(sorted(found), ["c", "count"])
            self.assertEqual([found["c"][k] for k in ("dtype", "elements", "unknown")],
                             ["f32", 64, 0])
            c = struct.unpack("<64f", (out / found["c"]["file"]).read_bytes())
            self.assertEqual(list(c), [x + 0.5 for x in range(64)])
            count = struct.unpack("<3i", (out / found["count"]["file"]).read_bytes())
            self.assertEqual(count, (0, 0, 7))

    def test_by_name(self):
        """Arguments that go by name are filled by it, wherever they stand, and some may be left out."""
        with tempfile.TemporaryDirectory() as folder:
            self.run_in(folder)
            path = pathlib.Path(folder) / "launch.json"
            contract = json.loads(path.read_text())
            args = contract["launches"][0]["args"]
            for order in (args[::-1], [args[1], args[3], args[0], args[2]]):
                contract["launches"][0]["args"] = order
                path.write_text(json.dumps(contract))
                out = pathlib.Path(folder) / ("out%d" % args.index(order[0]))
                done = run("--outputs", str(out), "--launch", str(path), str(pathlib.Path(folder) / "add.c"))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                listed = {o["buffer"]: o for o in json.loads((out / "outputs.json").read_text())["outputs"]}
                c = struct.unpack("<64f", (out / listed["c"]["file"]).read_bytes())
                self.assertEqual(list(c), [x + 0.5 for x in range(64)])

    def test_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_in(folder, ADD, 2)
            self.assertEqual(done.returncode, 2)
            self.assertIn("2 launches of kernels; --outputs is of one", done.stderr)
            done = self.run_in(folder, ADD, 1, "--device", "gpu")
            self.assertEqual(done.returncode, 2)
            self.assertIn("run on the interpreter", done.stderr)
            (pathlib.Path(folder) / "out").write_text("in the way")
            done = self.run_in(folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot be written", done.stderr)

    def test_no_end(self):
        """A kernel that waits for what nobody does leaves no outputs, and says so."""
        text = ADD.replace("        count[2] = 7;", "        while (tile_to_int(tile_load_ptr_at("
                           "tile_pointers(count, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0) ;")
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_in(folder, text)
            self.assertEqual(done.returncode, 2)
            self.assertFalse((pathlib.Path(folder) / "out" / "outputs.json").exists())


class Interpreter(unittest.TestCase):
    def test_clean(self):
        code, seen = report(CLEAN, "--repeat", "4")
        self.assertEqual(code, 0)
        self.assertFalse(seen["nondeterministic"])
        self.assertEqual(seen["runs"], 4)
        self.assertIn("not a proof", seen["words"])
        self.assertEqual(seen["schedules"], [])
        self.assertTrue(seen["exhaustive"])

    def test_race(self):
        for source, buffer in ((RACY, "c"), (PAPER, "dst")):
            with self.subTest(source=source):
                code, seen = report(source, "--repeat", "3")
                self.assertEqual(code, 1)
                self.assertTrue(seen["nondeterministic"])
                self.assertIn("nondeterminism confirmed", seen["words"])
                output = next(o for o in seen["outputs"] if o["buffer"] == buffer)
                self.assertGreater(output["differing"], 0)
                self.assertEqual(seen["per_run"][0], 0)
                first, second = seen["schedules"]
                self.assertNotEqual(first["steps"], second["steps"])
                self.assertIn(buffer, seen["schedules_differ_in"][0])
                box = next(b for b in seen["boxes"] if b["buffer"] == buffer)
                for low, first, high in zip(box["low"], output["first"], box["high"]):
                    self.assertLessEqual(low, high)
                    self.assertGreaterEqual(first, 0)

    def test_the_checkers_race_is_shown(self):
        code, seen = report(PAPER, "--repeat", "2")
        self.assertEqual(code, 1)
        self.assertIn("race: TR001 at line 25", seen["checker"])
        steps = [s for s in seen["schedules"][0]["steps"] if s["matters"]]
        self.assertEqual([s["line"] for s in steps[:2]], [25, 25])

    def test_saved_report(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            subprocess.run([TILERACE, "check", "--format", "json", "-o", path, PAPER, CLEAN],
                           check=False, timeout=120)
            code, seen = report(PAPER, "--witness", path, "--repeat", "2")
            self.assertEqual(code, 1)
            self.assertEqual(len(seen["schedules"]), 2)
            done = run(CLEAN, "--witness", path, "--device", "cpu")
            self.assertEqual(done.returncode, 2)
            self.assertIn("holds no race of this kernel", done.stderr)
            done = run(PAPER, "--witness", PAPER, "--device", "cpu")
            self.assertIn("is no report of tilerace check", done.stderr)

    def test_page(self):
        done = run(PAPER, "--device", "cpu", "--repeat", "3", "--format", "html")
        self.assertEqual(done.returncode, 1)
        start = done.stdout.index('id="data">') + len('id="data">')
        data = json.loads(done.stdout[start:done.stdout.index("</script>", start)])
        tiles = data[0]["tiles"][0]
        self.assertEqual(tiles["tile"], [1, 1, 64, 64])
        count = 1
        for n in tiles["counts"]:
            count *= n
        self.assertEqual([len(tiles[k]) for k in ("heat", "writer", "other", "racing")], [count] * 4)
        racing = {i for i in range(count) if tiles["racing"][i]}
        self.assertEqual(racing, {i for i in range(count) if tiles["other"][i] >= 0})
        self.assertTrue(0 < len(racing) < count)
        for i in range(count):
            self.assertTrue(tiles["other"][i] != tiles["writer"][i] or tiles["writer"][i] < 0)
            self.assertTrue(tiles["heat"][i] == 0 or i in racing)
        self.assertIn("tile_store", "".join(data[0]["source"]["lines"]))
        self.assertNotIn("http", done.stdout.replace("http-equiv", ""))

    def test_repeatable(self):
        first = run(PAPER, "--device", "cpu", "--repeat", "3", "--seed", "7")
        again = run(PAPER, "--device", "cpu", "--repeat", "3", "--seed", "7")
        self.assertEqual(first.stdout, again.stdout)

    def test_several(self):
        done = run(CLEAN, RACY, "--device", "cpu", "--repeat", "2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no difference", done.stdout)
        self.assertIn("nondeterminism confirmed", done.stdout)


class Launches(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_values_and_reference(self):
        launch = {"version": 1, "launches": [{"kernel": "vector_add", "args": [
            {"name": "a", "fill": "iota"}, {"name": "b", "fill": "zeros"},
            {"name": "c", "reference": "c.bin"}, {"name": "n", "value": 100}]}]}
        path = self.folder / "launch.json"
        path.write_text(json.dumps(launch))
        good = struct.pack("<100f", *range(100))
        (self.folder / "c.bin").write_bytes(good)
        code, seen = report(CLEAN, "--launch", str(path), "--repeat", "2")
        self.assertEqual((code, seen["reference"]["status"]), (0, "equal"), seen)
        (self.folder / "c.bin").write_bytes(struct.pack("<f", 9) + good[4:])
        code, seen = report(CLEAN, "--launch", str(path), "--repeat", "2")
        self.assertEqual((code, seen["reference"]["status"]), (1, "different"))
        (self.folder / "c.bin").write_bytes(b"short")
        done = run(CLEAN, "--launch", str(path), "--device", "cpu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds 5 bytes", done.stderr)

    def reference(self, expression, name, words):
        (self.folder / f"{name}.c").write_text(f"""#include <tile.h>
tile_kernel void {name}(const float *a, const float *b, float *c, int n)
{{
    tile_grid(tile_cdiv(n, 64));
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(a, n);
    tile_extent(b, n);
    tile_extent(c, n);
    int i = tile_bid(0);
    tile x = tile_load(tile_partition(tile_tensor(a, n), 64), i);
    tile y = tile_load(tile_partition(tile_tensor(b, n), 64), i);
    tile_store(tile_partition(tile_tensor(c, n), 64), {expression}, i);
}}
""")
        launch = {"version": 1, "launches": [{"kernel": "vector_add", "args": [
            {"name": "a"}, {"name": "b"}, {"name": "c", "reference": {"kernel": words}},
            {"name": "n", "value": 1000}]}]}
        path = self.folder / "launch.json"
        path.write_text(json.dumps(launch))
        return str(path)

    def test_another_kernel_as_reference(self):
        path = self.reference("x + y", "plain", "plain.c")
        code, seen = report(CLEAN, "--launch", path, "--repeat", "2")
        self.assertEqual((code, seen["reference"]["status"]), (0, "equal"), seen)
        path = self.reference("x + y * 1.000001f", "near", "near.c:near")
        code, seen = report(CLEAN, "--launch", path, "--repeat", "2")
        self.assertEqual((code, seen["reference"]["status"]), (0, "within-tolerance"), seen)
        path = self.reference("x - y", "minus", "minus.c")
        code, seen = report(CLEAN, "--launch", path, "--repeat", "2")
        self.assertEqual((code, seen["reference"]["status"]), (1, "different"), seen)
        first = seen["reference"]["elements"][0]
        self.assertEqual((first["buffer"], first["element"]), ("c", 0))
        self.assertNotEqual(first["is"], first["expected"])
        done = run(CLEAN, "--launch", path, "--device", "cpu", "--repeat", "2")
        self.assertIn("not as the reference: 1000 of 1000 elements beyond 0.0001", done.stdout)
        self.assertRegex(done.stdout, r"\[0\] is [-\d.]+, the reference has [-\d.]+")

    def test_tolerances(self):
        path = pathlib.Path(self.reference("x + y * 1.000001f", "near", "near.c"))
        text = path.read_text()
        for tolerance, status in ((0, "different"), (1e-9, "different"), (1e-5, "within-tolerance")):
            path.write_text(text.replace('"reference"', f'"tolerance": {tolerance}, "reference"'))
            _, seen = report(CLEAN, "--launch", str(path), "--repeat", "1")
            self.assertEqual(seen["reference"]["status"], status, tolerance)
        for words, said in (('"tolerance": -1, "reference"', "args[2].tolerance: this must not be negative"),
                            ('"tolerance": "1", "reference"', "args[2].tolerance: this must be a number")):
            path.write_text(text.replace('"reference"', words))
            done = run(CLEAN, "--launch", str(path), "--device", "cpu")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(said, done.stderr)

    def test_numbers_that_are_none(self):
        launch = {"version": 1, "launches": [{"kernel": "vector_add", "args": [
            {"name": "a", "fill": {"file": "a.bin"}}, {"name": "b", "fill": "zeros"},
            {"name": "c", "reference": "c.bin"}, {"name": "n", "value": 3}]}]}
        path = self.folder / "launch.json"
        path.write_text(json.dumps(launch))
        (self.folder / "a.bin").write_bytes(struct.pack("<3f", float("nan"), float("inf"), 1))
        (self.folder / "c.bin").write_bytes(struct.pack("<3f", -float("nan"), float("inf"), 1))
        code, seen = report(CLEAN, "--launch", str(path), "--repeat", "2")
        self.assertEqual((code, seen["reference"]["status"]), (0, "within-tolerance"), seen["reference"])
        (self.folder / "c.bin").write_bytes(struct.pack("<3f", 0, float("nan"), 1))
        code, seen = report(CLEAN, "--launch", str(path), "--repeat", "2")
        self.assertEqual((code, seen["reference"]["status"]), (1, "different"))
        self.assertEqual([(e["element"], e["is"], e["expected"]) for e in seen["reference"]["elements"]],
                         [(0, None, 0), (1, None, None)])

    def test_references_that_do_not_fit(self):
        for expression, name, words, said in (
                ("x", "plain", "nowhere.c", "cannot be read"),
                ("x", "plain", "plain.c:other", "holds no kernel 'other'")):
            path = self.reference(expression, name, words)
            done = run(CLEAN, "--launch", path, "--device", "cpu")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(said, done.stderr)
        path = self.reference("x + y", "plain", "plain.c")
        text = (self.folder / "plain.c").read_text()
        for old, new, said in (("int n", "int m, int n", "has a parameter 'm', the kernel none"),
                               ("tile_extent(a, n)", "tile_extent(a, n + 8)", "takes 'a' of 4032")):
            (self.folder / "plain.c").write_text(text.replace(old, new))
            done = run(CLEAN, "--launch", path, "--device", "cpu")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(said, done.stderr)

    def test_float_arguments(self):
        launch = {"version": 1, "launches": [{"kernel": "rms_norm", "args": [
            {"name": "x"}, {"name": "weight"}, {"name": "y"}, {"name": "rstd"}, {"name": "rows"},
            {"name": "n"}, {"name": "eps", "value": 0.25}]}]}
        path = self.folder / "launch.json"
        path.write_text(json.dumps(launch))
        _, seen = report("kernels/rms_norm.c", "--launch", str(path), "--repeat", "1")
        self.assertTrue(seen["launch"].endswith("eps = 0.25"), seen["launch"])
        _, seen = report("kernels/rms_norm.c", "--repeat", "1")
        self.assertTrue(seen["launch"].endswith("eps = 1"), seen["launch"])

    def test_what_the_verdict_requires_is_met(self):
        for module, required in (("kernels/cpp/segment_ids.tilebc", "do not decrease"),
                                 ("kernels/python/quantize_groups.tilebc", "(grid.x + 15) / 16 <= arg10"),
                                 ("kernels/cpp/vector_add.tilebc", "grid.x <= (arg3 + 255) / 256")):
            with self.subTest(module=module):
                code, seen = report(module, "--repeat", "3")
                self.assertIn(required, seen["checker"])
                self.assertFalse(seen["nondeterministic"], seen["launch"])
                self.assertEqual(code, 0)

    def test_what_the_kernel_assumes_is_kept(self):
        _, seen = report("kernels/cpp/aligned_copy.tilebc", "--repeat", "2")
        values = dict(re.findall(r"(\w+) = (\d+)", seen["launch"]))
        self.assertEqual((int(values["arg3"]) % 256, int(values["arg4"]) % 4), (0, 0), seen["launch"])

    def test_the_race_is_in_the_launch(self):
        _, seen = report("fixtures/races/cpp/attention_decode_one_slot.tilebc", "--repeat", "2")
        self.assertRegex(seen["launch"], r"grid \d+ x ([2-9]|\d{2,}) x 1")  # two parts at least

    def test_a_number_of_passes_stays_small(self):
        _, seen = report("kernels/cpp/smooth_passes.tilebc", "--repeat", "2")
        values = dict(re.findall(r"(\w+) = (\d+)", seen["launch"]))
        self.assertLess(int(values["passes"]), 64)

    def test_no_table_of_addresses_on_a_gpu(self):
        done = run("kernels/cpp/fill_table.tilebc", "--bundle", str(self.folder / "bundle"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("only the program that launches it can make such a table", done.stderr)

    def test_sizes_that_nobody_states_stay_small(self):
        code, seen = report("kernels/cpp/aligned_copy.tilebc", "--repeat", "2")
        self.assertEqual(code, 0)
        self.assertTrue(all(int(n) < 1 << 20 for n in re.findall(r"= (\d+)", seen["launch"])))

    def test_a_parameter_that_nobody_reads_is_one(self):
        path = self.folder / "idle.c"
        path.write_text("#include <tile.h>\ntile_kernel void k(float *y, int n, int stated, int m)\n"
                        "{\n    tile_assume(stated >= 7);\n    if (tile_bid(0) < m)\n"
                        "        y[tile_bid(0)] = 1.0f;\n}\n")
        _, seen = report(str(path), "--repeat", "1")
        values = dict(re.findall(r"(\w+) = (-?\d+)", seen["launch"]))
        self.assertEqual(values["n"], "1")
        self.assertGreaterEqual(int(values["stated"]), 7)

    def test_stated_numbers_are_taken(self):
        launch = {"version": 1, "launches": [{"kernel": "vector_add", "args": [
            {"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "n", "value": 1000000}]}]}
        path = self.folder / "launch.json"
        path.write_text(json.dumps(launch))
        _, seen = report(CLEAN, "--launch", str(path), "--repeat", "1")
        self.assertIn("n = 1000000", seen["launch"])

    def test_bundle(self):
        program = self.folder / "tileiras"
        program.write_text(ASSEMBLER)
        program.chmod(stat.S_IRWXU)
        bundle = self.folder / "bundle"
        done = run(PAPER, "--bundle", str(bundle), CUTILE_TILEIRAS_PATH=str(program))
        self.assertEqual(done.returncode, 0, done.stderr)
        plan = (bundle / "plan.txt").read_text()
        self.assertIn("kernel permute_heads\n", plan)
        self.assertIn("code code1.cubin block ids reversed\n", plan)
        self.assertIn("tile dst 1 1 64 64\n", plan)
        self.assertTrue(os.access(bundle / "tilerace-runner", os.X_OK))
        self.assertEqual((bundle / "code0.cubin").read_text(), "machine code\n")
        alone = subprocess.run([str(bundle / "tilerace-runner"), str(bundle)], capture_output=True,
                               text=True, check=False, timeout=120)
        if "cannot be opened" not in alone.stdout:
            self.skipTest("this machine has a driver")
        self.assertEqual(alone.returncode, 2)
        done = run(str(bundle))
        self.assertEqual(done.returncode, 2)
        self.assertIn("driver's library cannot be opened", done.stdout)


class Blocks(unittest.TestCase):
    """Who lies behind the elements that differ."""

    def test_unordered_in_one_block(self):
        _, seen = report(IN_ONE_BLOCK, "--repeat", "4")
        self.assertTrue(seen["pairs"])
        first, second = seen["pairs"][0]["accesses"]
        self.assertEqual(first["block"], second["block"])
        self.assertIsNotNone(seen["pairs"][0]["finding"])

    def test_several_writers(self):
        _, seen = report(PAPER, "--repeat", "3")
        self.assertEqual(len(seen["blocks"]), len(seen["pairs"]))
        self.assertEqual(seen["pairs_as_reported"], seen["pairs_in_all"])
        for pair in seen["pairs"]:
            first, second = pair["accesses"]
            self.assertNotEqual(first["block"], second["block"])
            self.assertEqual((first["line"], second["line"]), (25, 25))
            self.assertEqual(pair["finding"], "TR001 at line 25")
        differing = sum(o["differing"] for o in seen["outputs"])
        listed = sum(p["elements"] for p in seen["pairs"])
        self.assertEqual(listed * seen["pairs_in_all"], differing * len(seen["pairs"]))  # all alike
        box = seen["boxes"][0]
        self.assertEqual(box["tile_high"][3], box["high"][3] // 64)

    def test_readers(self):
        _, seen = report("build/fixtures/races/stencil_in_place.c", "--repeat", "2")
        self.assertTrue(seen["pairs"])
        for pair in seen["pairs"]:
            ops = {access["op"] for access in pair["accesses"]}
            self.assertEqual(ops, {"load_view_tko", "store_view_tko"})
            self.assertTrue(pair["finding"].startswith("TR002"))

    def test_nothing_differs(self):
        _, seen = report(CLEAN, "--repeat", "2")
        self.assertEqual((seen["blocks"], seen["pairs"], seen["pairs_in_all"]), ([], [], 0))


@unittest.skipUnless(FAKE_CUDA, "no driver to stand in for the real one")
class Gpu(unittest.TestCase):
    """What surrounds a GPU, with a driver that only pretends."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        program = self.folder / "tileiras"
        program.write_text(ASSEMBLER)
        program.chmod(stat.S_IRWXU)
        self.environment = {"CUTILE_TILEIRAS_PATH": str(program), "LD_LIBRARY_PATH": FAKE_CUDA}

    def run_on_gpu(self, *words, **environment):
        return run(*words, "--device", "gpu", **self.environment, **environment)

    def test_blocks_of_differing_elements(self):
        done = self.run_on_gpu(PAPER, "--repeat", "3", "--format", "json", FAKE_ARGUMENT="1",
                               FAKE_BYTES="4096")
        self.assertEqual(done.returncode, 1, done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["environment"], {"driver": 13000, "gpu": "a made-up GPU", "tileiras": None})
        self.assertEqual([o["differing"] for o in seen["outputs"]], [1024])
        self.assertEqual(sum(p["elements"] for p in seen["pairs"]), 1024)
        for pair in seen["pairs"]:
            self.assertEqual(pair["finding"], "TR001 at line 25")
        self.assertEqual(len(seen["schedules"]), 2)
        self.assertEqual(seen["boxes"][0]["low"], [0, 0, 0, 0])
        page = self.run_on_gpu(PAPER, "--repeat", "3", "--format", "html", FAKE_ARGUMENT="1",
                               FAKE_BYTES="4096").stdout
        start = page.index('id="data">') + len('id="data">')
        data = json.loads(page[start:page.index("</script>", start)])
        self.assertTrue(any(data[0]["tiles"][0]["racing"]))

    def test_no_difference(self):
        done = self.run_on_gpu(CLEAN, "--repeat", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no difference in 3 runs: not a proof", done.stdout)

    def test_hang(self):
        done = self.run_on_gpu(CLEAN, "--timeout", "300", "--format", "json", FAKE_FAULT="hang")
        seen = json.loads(done.stdout)
        self.assertTrue(seen["hang"])
        self.assertIn("run 1 took longer than 300 ms and was killed", seen["words"])
        self.assertEqual(done.returncode, 2)

    def test_what_goes_wrong(self):
        for fault, said in (
                ("no-device", "the driver sees no GPU (CUDA_VISIBLE_DEVICES may hide it)"),
                ("wrong-code", "the code was made for sm_90 and this GPU is a a made-up GPU of compute "
                               "capability 9.0: compile with --gpu-name sm_90"),
                ("memory", "the GPU's memory does not hold a: 8390656 bytes"),
                ("memory", " bytes are asked for, 4096 of 1099511627776 are free"),
                ("refused", "the launch was refused: CUDA_ERROR_LAUNCH_FAILED (an error)"),
                ("fault", "the kernel failed: CUDA_ERROR_ILLEGAL_ADDRESS (an error)"),
                ("crash", "was ended by signal 9 (Killed)"),
                ("exit", "ended before its runs did, with exit code 3")):
            with self.subTest(fault=fault):
                done = self.run_on_gpu(CLEAN, "--repeat", "3", FAKE_FAULT=fault)
                self.assertEqual(done.returncode, 2)
                self.assertTrue(done.stdout.startswith(f"{CLEAN}: vector_add: "), done.stdout)
                self.assertIn(said, done.stdout.split("\n")[0])
                self.assertNotIn("elements differ", done.stdout)
                seen = json.loads(self.run_on_gpu(CLEAN, "--format", "json", FAKE_FAULT=fault).stdout)
                self.assertIn(said, seen["error"])

    def test_drivers_that_are_too_old(self):
        driver = pathlib.Path(FAKE_CUDA, "libcuda.so.1").read_bytes()
        self.assertIn(b"cuMemsetD8Async\0", driver)
        (self.folder / "libcuda.so.1").write_bytes(driver.replace(b"cuMemsetD8Async\0", b"cuMemsetD8Astnc\0"))
        done = run(CLEAN, "--device", "gpu", **{**self.environment, "LD_LIBRARY_PATH": str(self.folder)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("the NVIDIA driver is too old: its library lacks cuMemsetD8Async", done.stdout)

    def test_no_driver(self):
        done = run(CLEAN, "--device", "gpu", **{**self.environment, "LD_LIBRARY_PATH": str(self.folder)})
        if "libcuda.so.1" not in done.stdout:
            self.skipTest("this machine has a driver")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--device cpu runs the kernel on the interpreter", done.stdout)

    def test_witness(self):
        path = str(self.folder / "report.json")
        subprocess.run([TILERACE, "check", "--format", "json", "-o", path, PAPER], check=False,
                       timeout=120)
        done = self.run_on_gpu(PAPER, "--witness", path, "--repeat", "2", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["device"], "gpu")
        self.assertIn("grid 4 x 2 x 1, B = 2, H = 2, M = 2", seen["launch"])
        self.assertEqual(len(seen["schedules"]), 2)
        bundle = self.folder / "bundle"
        done = run(PAPER, "--witness", path, "--bundle", str(bundle), **self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("\ngrid 4 2 1", (bundle / "plan.txt").read_text())
        runner = subprocess.run([str(bundle / "tilerace-runner"), "--buffers", str(bundle)],
                                capture_output=True, text=True, check=False, timeout=120,
                                env={**os.environ, **self.environment})
        self.assertEqual((runner.returncode, runner.stdout), (0, ""))  # nothing to compare with

    def test_a_bundle_names_blocks(self):
        bundle = self.folder / "bundle"
        done = run(PAPER, "--bundle", str(bundle), **self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        env = {**self.environment, "FAKE_ARGUMENT": "1", "FAKE_BYTES": "4096"}
        runner = subprocess.run([str(bundle / "tilerace-runner"), "--repeat", "3", str(bundle)],
                                capture_output=True, text=True, check=False, timeout=120,
                                env={**os.environ, **env})
        self.assertEqual(runner.returncode, 1, runner.stderr)
        named = ("block (0, 0, 0) store_view_tko, line 25 and block (1, 0, 0) store_view_tko, "
                 "line 25: 1024 elements, as the checker reports (TR001 at line 25)")
        for words in ("1024 of them written by several tile blocks", named,
                      "the checker says race: TR001 at line 25"):
            self.assertIn(words, runner.stdout)
        done = run(str(bundle), "--repeat", "3", **env)
        self.assertEqual(done.stdout, f"{bundle}: {runner.stdout}")
        seen = json.loads(run(str(bundle), "--format", "json", **env).stdout)
        self.assertEqual(seen["pairs"][0]["finding"], "TR001 at line 25")
        self.assertRegex(seen["launch"], r"^grid \d+ x \d+ x 1, B = ")
        page = run(str(bundle), "--format", "html", **env).stdout
        start = page.index('id="data">') + len('id="data">')
        source = json.loads(page[start:page.index("</script>", start)])[0]["source"]
        self.assertEqual(source["file"], PAPER)
        self.assertEqual(source["lines"], pathlib.Path(PAPER).read_text().splitlines())
        self.assertEqual(seen["blocks"][0], [[0, 0, 0], [1, 0, 0]])
        self.assertIsNone(seen["pairs_why"])

    def test_a_bundle_says_why_nobody_is_named(self):
        launch = {"version": 1, "launches": [{"kernel": "vector_add", "args": [
            {"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "n", "value": 1 << 26}]}]}
        path = self.folder / "launch.json"
        path.write_text(json.dumps(launch))
        bundle = self.folder / "bundle"
        done = run(CLEAN, "--launch", str(path), "--bundle", str(bundle), **self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = "the interpreter looks at launches of up to 256 MiB, this one has 768"
        self.assertIn(f"nobody {said}\n", (bundle / "blocks.txt").read_text())
        plan = (bundle / "plan.txt").read_text()
        small = plan.replace("268435456", "4096").replace("67108864", "1024")
        (bundle / "plan.txt").write_text(small)
        env = {**self.environment, "FAKE_ARGUMENT": "2", "FAKE_BYTES": "4096"}
        done = run(str(bundle), **env)
        self.assertIn(f"no tile blocks are named: {said}", done.stdout)
        self.assertEqual(json.loads(run(str(bundle), "--format", "json", **env).stdout)["pairs_why"], said)

    def test_a_bundle_from_elsewhere(self):
        bundle = self.folder / "bundle"
        run(PAPER, "--bundle", str(bundle), **self.environment)
        good = (bundle / "blocks.txt").read_text()
        for old, new in (("tilerace-blocks 1", "tilerace-blocks 2"), ("op 25", "op x"),
                         ("race 1 1", "race 1 9"), ("touch 0 1", "touch 99999999 1"),
                         ("touch 0 1", "touch - -"), ("elements dst ", "elements dst 99999999*0 "),
                         ("elements dst ", "elements src "), ("checker", "chequer")):
            (bundle / "blocks.txt").write_text(good.replace(old, new, 1))
            done = run(str(bundle), **self.environment)
            self.assertEqual((done.returncode, done.stdout), (2, ""), new)
            self.assertRegex(done.stderr, r"plan.txt:\d+: blocks.txt:\d+: ")

    def test_rounding(self):
        bundle = self.folder / "bundle"
        run(PAPER, "--bundle", str(bundle), "--repeat", "4", **self.environment)
        env = {**self.environment, "FAKE_ARGUMENT": "1", "FAKE_BYTES": "4096"}
        small = "with inputs whose sums are exact all runs agree"
        for step, rounding in (("1e-5", True), ("0.5", False), ("nan", False), ("inf", False)):
            env["FAKE_STEP"] = step
            for done in (run(PAPER, "--device", "gpu", "--repeat", "4", **env), run(str(bundle), **env)):
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("nondeterminism confirmed: 1024 of", done.stdout)
                self.assertEqual(small in done.stdout, rounding, step)
                self.assertEqual("though the checker reports a race" in done.stdout, rounding)
            line = subprocess.run([str(bundle / "tilerace-runner"), "--tsv", str(bundle)], check=False, text=True,
                                  capture_output=True, timeout=120, env={**os.environ, **env}).stdout
            self.assertEqual(line.split("\t")[1], "rounding" if rounding else "differs")
        blocks = (bundle / "blocks.txt").read_text()
        (bundle / "blocks.txt").write_text("".join(
            line for line in blocks.splitlines(True) if not line.startswith("checker")))
        done = run(str(bundle), **{**env, "FAKE_STEP": "1e-5"})
        self.assertIn("the order of float additions, no proof of a race", done.stdout)

    def test_what_is_proved(self):
        done = self.run_on_gpu(CLEAN, "--repeat", "3", FAKE_ARGUMENT="2", FAKE_BYTES="4096")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("nondeterminism confirmed", done.stdout)
        self.assertIn("though the checker proves that the kernel is race-free: one of the two is wrong", done.stdout)
        locked = "kernels/matmul_locked.c"
        bundle = self.folder / "bundle"
        run(locked, "--bundle", str(bundle), "--repeat", "3", **self.environment)
        env = {**self.environment, "FAKE_ARGUMENT": "2", "FAKE_BYTES": "4096"}
        done = run(str(bundle), **env)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1024 elements differ over 3 runs of a kernel that is proved race-free: they depend on the "
                      "order in which its blocks synchronise, which is no race", done.stdout)
        runner = subprocess.run([str(bundle / "tilerace-runner"), str(bundle)], check=False, text=True,
                                capture_output=True, timeout=120, env={**os.environ, **env})
        self.assertEqual((runner.returncode, f"{bundle}: {runner.stdout}"), (0, done.stdout))

    def test_integers_are_not_rounded(self):
        source = self.folder / "whole.c"
        source.write_text("""#include <tile.h>
tile_kernel void whole(const float *x, int *y, int n)
{
    tile_grid(tile_cdiv(n, 64));
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, n);
    tile_extent(y, n);
    int i = tile_bid(0);
    tile t = tile_load(tile_partition(tile_tensor(x, n), 64), i);
    tile_store(tile_partition(tile_tensor(y, n), 64), tile_cast(t, int), i / 2);
}
""")
        done = self.run_on_gpu(str(source), "--repeat", "4", FAKE_ARGUMENT="1", FAKE_BYTES="4096", FAKE_STEP="1e-5")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("nondeterminism confirmed: 1024 of", done.stdout)
        self.assertNotIn("exact", done.stdout)

    def test_one_line_a_buffer(self):
        bundle = self.folder / "bundle"
        done = run(CLEAN, "--against-interpreter", "--bundle", str(bundle), **self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        runner = subprocess.run(
            [str(bundle / "tilerace-runner"), "--buffers", "--repeat", "1", str(bundle)],
            capture_output=True, text=True, check=False, timeout=120,
            env={**os.environ, **self.environment})
        fields = runner.stdout.rstrip("\n").split("\t")
        self.assertEqual(fields[:3], ["vector_add", "c", "f32"])
        self.assertEqual(fields[3], fields[4])  # a kernel that does nothing is wrong everywhere
        self.assertRegex(fields[-1], "^0x[0-9a-f]{8}$")

    def bar_of(self, *words):
        """What a terminal sees on standard error."""
        env = {**os.environ, **self.environment}
        parent, child = pty.openpty()
        seen = b""
        with subprocess.Popen([TILERACE, "run", *words, "--device", "gpu"], env=env, stderr=child,
                              stdout=subprocess.DEVNULL) as running:
            os.close(child)
            while select.select([parent], [], [], 60)[0]:
                try:
                    some = os.read(parent, 4096)
                except OSError:  # the other end is closed
                    break
                if not some:
                    break
                seen += some
            running.wait(60)
        os.close(parent)
        return seen.decode()

    def test_progress(self):
        seen = self.bar_of(CLEAN, "--repeat", "60")
        self.assertRegex(seen, r"runs \[#+-+\] \d+ of 60, [\d.]+ a second, \d+ s left")
        self.assertTrue(seen[seen.rindex(" left") + 5:].startswith("\r\x1b[K"), seen[-80:])
        done = self.run_on_gpu(CLEAN, "--repeat", "60")
        self.assertNotIn("runs [", done.stderr)


class Mistakes(unittest.TestCase):
    def expect(self, words, said):
        done = run(*words)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(said, done.stderr)

    def test_words(self):
        self.expect([CLEAN, "--device", "tpu"], "--device is gpu, cpu or auto, not 'tpu'")
        self.expect([CLEAN, "--format", "sarif"], "--format of run is text, json or html")
        self.expect(["nowhere.c"], "cannot be read")
        self.expect(["kernels"], "kernels/plan.txt")


if __name__ == "__main__":
    unittest.main()

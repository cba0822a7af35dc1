"""tilerace run on the interpreter, and what is said where there is no GPU. Needs no NVIDIA package.

    test_run.py TILERACE
"""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
CLEAN = "kernels/vector_add.c"
RACY = "fixtures/races/vector_add_half_index.c"
PAPER = "fixtures/races/permute_heads_paper.c"

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
        self.assertEqual([len(tiles[k]) for k in ("heat", "writer", "writers")], [count] * 3)
        racing = [i for i in range(count) if tiles["writers"][i] > 1]
        self.assertTrue(racing)
        for i in range(count):
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
        import struct
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


class Mistakes(unittest.TestCase):
    def expect(self, words, said):
        done = run(*words)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(said, done.stderr)

    def test_words(self):
        self.expect([CLEAN, "--device", "tpu"], "--device is cpu, gpu or auto, not 'tpu'")
        self.expect([CLEAN, "--format", "sarif"], "--format of run is text, json or html")
        self.expect(["nowhere.c"], "cannot be read")
        self.expect(["kernels"], "kernels/plan.txt")


if __name__ == "__main__":
    unittest.main()

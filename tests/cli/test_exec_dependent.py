"""tilerace exec: launches by programmatic dependent launch, held against those before them.

    test_exec_dependent.py BUILD_FOLDER
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
ROOT = pathlib.Path(__file__).parents[2]
TILERACE = str(BUILD / "tilerace")
sys.path.insert(0, str(ROOT / "tests/tools"))
from schemas import errors_of, load  # noqa: E402  the folder is known only now

SCHEMA = load(ROOT / "docs/contract.schema.json")
HEAD = """
    tile_view in = tile_partition(tile_tensor(x, n), 64), out = tile_partition(tile_tensor(y, n), 64);
"""
KERNELS = f"""#include <tile.h>
tile_kernel void plain(const float *x, float *y, int n)
{{{HEAD}    tile_store(out, tile_load(in, tile_bid(0)), tile_bid(0));
}}
tile_kernel void waits(const float *x, float *y, int n)
{{{HEAD}    tile_gdc_wait();
    tile_store(out, tile_load(in, tile_bid(0)), tile_bid(0));
}}
tile_kernel void late(const float *x, float *y, int n)
{{{HEAD}    tile t = tile_load(in, tile_bid(0));
    tile_gdc_wait();
    tile_store(out, t, tile_bid(0));
}}
tile_kernel void early(const float *x, float *y, int n)
{{{HEAD}    tile_gdc_launch_dependents();
    tile_gdc_wait();
    tile_store(out, tile_load(in, tile_bid(0)), tile_bid(0));
}}
tile_kernel void first(const float *x, float *y, int n)
{{{HEAD}    tile_gdc_wait();
    tile_store(out, tile_load(in, tile_bid(0)), tile_bid(0));
    tile_gdc_launch_dependents();
}}
tile_kernel void some(const float *x, float *y, int n)
{{{HEAD}    if (n > 100)
        tile_gdc_wait();
    tile_store(out, tile_load(in, tile_bid(0)), tile_bid(0));
}}
tile_kernel void table(const int *x, float *y, int n)
{{
    tile_view out = tile_partition(tile_tensor(y, n), 64);
    tile_store(out, tile_zeros(float, 64), x[tile_bid(0)]);
}}
"""


ONE = """#include <tile.h>
tile_kernel void kernel(float *x, long n)
{
    tile_view o = tile_partition(tile_tensor(x, n), 64);
    tile_store(o, tile_load(o, tile_bid(0)) + tile_load(o, tile_bid(0)), tile_bid(0));
}
"""


class Dependent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        for name, text in ("k", KERNELS), ("one", ONE):
            (cls.folder / f"{name}.c").write_text(text)
            subprocess.run([TILERACE, "compile", f"{name}.c", "-o", f"{name}.tilebc"],
                           cwd=cls.folder, check=True)
        subprocess.run(["gcc", "-std=gnu11", f"-I{ROOT}/capture", "-o", "steps",
                        str(ROOT / "tests/cli/stream_steps.c"), f"-L{BUILD}/capture/stand_in",
                        "-l:libcuda.so.1"], cwd=cls.folder, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def run_steps(self, steps, *options):
        return subprocess.run([TILERACE, "exec", "--dry-run", *(options or ("--no-recording",)),
                               "--", "./steps", "k.tilebc", *steps.split()], cwd=self.folder,
                              capture_output=True, text=True, check=False, timeout=120)

    def expect(self, steps, code, *said, options=()):
        run = self.run_steps(steps, *options)
        self.assertEqual(run.returncode, code, f"{steps}\n{run.stderr}")
        for words in said:
            self.assertIn(words, run.stderr, steps)
        return run.stderr

    def held(self, steps, n):
        self.assertIn(f"different launches: {n} held\n", self.expect(steps, 0))

    def raced(self, steps, *said):
        self.expect(steps, 1, "1 raced", "[TR00", "may still run", *said)

    def open(self, steps, *said):
        self.expect(steps, 0, "1 not checked", *said)

    # ---- One before ----

    def test_a_launch_that_waits_is_held(self):
        for steps in "plain:0,1 waits:1,2+", "plain:0,1 waits:0,1+", "plain:0,1 waits:1,0+":
            self.held(steps, 2)

    def test_a_launch_that_does_not_wait_races(self):
        self.raced("plain:0,1 plain:1,2+", "k.c:5:21: error: the launch of 'plain' may still write "
                   "'arg0': this load does not come after a wait for it [TR002]",
                   "./steps: note: launched here with grid (4, 1, 1)",
                   "note: 'plain', launched before it with grid (4, 1, 1), may still run")
        self.raced("plain:0,1 plain:2,1+", "may still write 'arg1': this store", "[TR001]")
        self.raced("plain:0,1 plain:2,0+", "may still read 'arg1': this store", "[TR002]")
        self.raced("plain:0,1 late:1,2+", "may still write 'arg0': this load")
        self.held("plain:0,1 late:0,1+", 2)  # both only load what is not after the wait

    def test_a_launch_apart_needs_no_wait(self):
        for steps in "plain:0,1 plain:2,3+", "plain:0,1 plain:0,2+", "plain:0,1 late:2,1+":
            self.held(steps, 2)

    def test_parts_of_one_array(self):
        self.held("plain:0,1,256 plain:1,2,256,256+", 2)
        self.held("plain:0,1,128 plain:1,2,256,128+", 2)
        self.raced("plain:0,1,256 plain:1,2,256,192+")

    def test_a_launch_that_waits_at_some_sizes(self):
        self.open("plain:0,1 some:1,2+", "it is not known whether this access comes after the wait")
        self.raced("plain:0,1 some:1,2,64+")

    def test_what_the_launch_before_touches_is_open(self):
        """Its stores go where a table says, which is not there in a dry run."""
        self.open("copy:0 table:0,1 plain:1,2+", "it is not known whether it touches the same elements",
                  "'table', launched before it")
        self.held("copy:0 table:0,1 waits:1,2+", 2)
        self.held("copy:0 table:0,1 plain:0,2+", 2)  # it reads the table alone

    def test_a_kernel_that_is_no_tile_kernel(self):
        self.open("other:0,1 plain:1,2+", "the launch of 'other', of which nothing is known")
        self.held("other:0,1 waits:1,2+", 1)
        self.open("plain:0,1 other:3,4+ plain:1,2+", "'other'")

    # ---- None before ----

    def test_the_first_of_a_stream(self):
        self.held("plain:0,1+", 1)

    def test_a_launch_behind_other_work(self):
        for work in ("sync", "context", "fill:1", "copy:1", "host", "read:1", "record event",
                     "record plain:3,4 event", "fill:5"):
            self.expect(f"plain:0,1 {work} plain:1,2+", 0, "held")
            self.expect(f"@3 plain:0,1 {work} plain:1,2+", 1 if work == "read:1" else 0)

    def test_work_that_may_hold_it_back(self):
        for work in "query", "record ask", "record behind", "free", "@1 plain:3,4 @0":
            self.open(f"plain:0,1 {work} plain:1,2+", "whether it touches")
            self.held(f"plain:0,1 {work} waits:1,2+", 3 if "plain" in work else 2)
        self.open("@1 plain:0,1 @0 plain:3,4 @1 plain:1,2+")

    def test_events_of_before(self):
        self.raced("plain:3,4 record plain:0,1 event plain:1,2+")
        self.raced("plain:0,1 record plain:1,2+")
        self.raced("@1 plain:0,1 @2 plain:3,4 sync @1 plain:1,2+")

    def test_another_stream(self):
        self.held("@1 plain:0,1 @2 plain:1,2+", 2)
        self.held("@3 plain:0,1 @0 plain:1,2+", 2)
        self.raced("@1 plain:0,1 @2 plain:3,4 @3 plain:3,5 @1 plain:1,2+")

    def test_graphs(self):
        self.open("graph:plain:0,1+", "whether both touch the same memory was not looked at")
        self.held("graph:waits:0,1+", 1)
        self.open("graph:plain:0,1 plain:1,2+", "the launch of 'a graph', of which nothing")
        self.raced("@1 plain:0,1 @2 graph:plain:3,4 @1 plain:1,2+")

    # ---- Chains ----

    def test_chains(self):
        self.held("plain:0,1 waits:2,3+ waits:1,4+", 3)
        self.raced("plain:0,1 plain:2,3+ waits:1,4+", "a launch between the two did not wait",
                   "may still write 'arg0' when this load runs")
        self.raced("plain:0,1 plain:2,3+ plain:4,5+ plain:6,7+ waits:1,4+")
        self.held("plain:0,1 plain:2,3 waits:1,4+", 3)
        self.held("plain:0,1 waits:2,3+ waits:4,5+ waits:1,6+", 4)
        self.held("plain:0,1 fill:7 plain:2,3+ waits:1,4+", 3)

    def test_what_the_launch_before_did_not_wait_for(self):
        """The last one waits for one that waits for one that waits for none: the first may run."""
        self.open("plain:0,1 plain:2,3+ waits:4,5+ waits:1,6+", "whether it touches")
        self.open("plain:0,1 plain:2,3+ waits:4,5+ waits:3,6+ waits:1,7+", "whether it touches")
        self.held("plain:0,1 plain:2,3 waits:4,5+ waits:1,6+", 4)

    def test_what_is_done_before_the_wait(self):
        """A launch that lets the next one start before it waits keeps nothing from running."""
        for kernel in "waits", "first":
            self.held(f"plain:0,1 {kernel}:2,3+ late:1,4+", 3)
            self.held(f"plain:0,1 {kernel}:2,3+ plain:1,4+", 3)
        self.open("plain:0,1 early:2,3+ late:1,4+", "may still write 'arg0', and it is not known whether it")
        self.open("plain:0,1 early:2,3+ early:5,6+ late:1,4+", "may still write 'arg0', and")
        self.held("plain:0,1 early:2,3+ waits:1,4+", 3)
        self.held("plain:0,1 early:2,3+ late:0,4+", 3)
        self.raced("plain:0,1 waits:2,3+ late:3,4+")

    def test_a_wait_that_may_not_be_come_to(self):
        for elements in 64, 256:
            self.open(f"plain:0,1 some:2,3,{elements}+ waits:1,4+", "whether it touches")
        self.open("plain:0,1 other:0,1+ waits:1,4+", "whether it touches")

    def test_long_chains(self):
        apart = " ".join(f"plain:2,3,64,0,{64 * i}+" for i in range(5)) + " "
        self.raced("plain:0,1 " + apart + "waits:1,4+")
        apart += " ".join(f"plain:2,4,64,0,{64 * i}+" for i in range(5)) + " "
        self.expect("plain:0,1 " + apart + "waits:1,5+", 0, "'earlier launches', of which nothing")
        self.assertIn("held\n", self.expect("plain:0,1 " + "waits:2,3+ " * 12 + "waits:1,4+", 0))

    def test_stop_at_race(self):
        """A launch that does not happen is before none."""
        run = self.run_steps("plain:0,1 plain:1,2+", "--no-recording", "--stop-at-race")
        self.assertIn("cuLaunchKernelEx", run.stderr)

    # ---- Recordings ----

    def check_again(self, steps, code, *said):
        recording = self.folder / f"recording{abs(hash(steps))}"
        self.run_steps(steps, "--recording", str(recording))
        for launches in recording.rglob("*.json"):
            text = json.loads(launches.read_text())
            if "launches" in text:
                self.assertEqual(list(errors_of(SCHEMA, text)), [])
        run = subprocess.run([TILERACE, "check", str(recording)], cwd="/", capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        for words in said:
            self.assertIn(words, run.stdout)
        merged = subprocess.run([TILERACE, "contract", str(recording)], capture_output=True,
                                text=True, check=False)
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assertEqual(list(errors_of(SCHEMA, json.loads(merged.stdout))), [])

    def test_a_recording_is_checked_again(self):
        for steps in "plain:0,1 waits:1,2+", "plain:0,1 plain:2,3+", "plain:0,1+":
            self.check_again(steps, 0, "0 racy, 0 unknown")
        self.check_again("plain:0,1 plain:1,2+", 1, "the launch of 'plain' may still write 'arg0'")
        self.check_again("plain:0,1 plain:2,3+ waits:1,4+", 1, "a launch between the two did not")
        self.check_again("other:0,1 plain:1,2+", 0, "1 unknown", "'other', of which nothing")
        self.check_again("graph:plain:0,1+", 0, "1 unknown", "the contract does not say which")

    # ---- Before a driver that records nothing ----

    def run_before_driver(self, steps):
        driver = str(BUILD / "tests/silent_driver")
        run = subprocess.run([TILERACE, "exec", "--no-recording", "--", "./steps", "one.tilebc",
                              *steps.split()], cwd=self.folder, capture_output=True, text=True,
                             check=False, timeout=120, env={**os.environ, "LD_LIBRARY_PATH": driver})
        self.assertNotIn("stand-in", run.stderr)
        return run.stderr

    def test_before_a_driver(self):
        """The shim is told of work in streams by the functions that it stands before."""
        raced = "kernel:0 kernel:0+", "@1 kernel:0 @0 @2 kernel:1 sync @1 kernel:0+"
        held = ("kernel:0 kernel:1+", "kernel:0+", "@3 kernel:0 @4 kernel:0+",
                *(f"kernel:0 {work} kernel:0+" for work in
                  ("sync", "context", "fill:1", "copy:1", "read:1", "host", "record event")))
        opened = ("graph:kernel:0+", "graph:kernel:0 kernel:0+", "@1 kernel:0 @0 kernel:3 @1 kernel:0+",
                  *(f"kernel:0 {work} kernel:0+" for work in
                    ("query", "record ask", "record behind", "free")))
        for steps in raced:
            self.assertIn("1 raced", self.run_before_driver(steps), steps)
        for steps in held:
            self.assertRegex(self.run_before_driver(steps), r"launches: \d held\n", steps)
        for steps in opened:
            self.assertIn("1 not checked", self.run_before_driver(steps), steps)

    # ---- Contracts ----

    def check_contract(self, kernel, predecessor, verdict, *said, version=2):
        launch = {"kernel": kernel, "grid": [4, 1, 1], "pdl": True, "predecessor": predecessor,
                  "args": [{"name": "x", "buffer": "x", "bytes": 1024},
                           {"name": "y", "buffer": "y", "bytes": 1024}, {"name": "n", "value": 256}]}
        contract = {"version": version, "launches": [launch]}
        self.assertEqual(list(errors_of(SCHEMA, contract)), [])
        (self.folder / "k.launch.json").write_text(json.dumps(contract))
        run = subprocess.run([TILERACE, "check", "k.tilebc", "--launch", "k.launch.json"],
                             cwd=self.folder, capture_output=True, text=True, check=False)
        (self.folder / "k.launch.json").unlink()
        self.assertRegex(run.stdout, rf"(?m): {verdict}: '{kernel}'", predecessor)
        for words in said:
            self.assertIn(words, run.stdout, predecessor)

    def test_contracts(self):
        part = lambda buffer, **more: {"buffer": buffer, **more}  # noqa: E731
        free, race, unknown = "race-free", "race", "(?:note|unknown)"
        for kernel, writes, reads, verdict in (
                ("plain", [], [], free),
                ("plain", [part("x")], [], race),
                ("plain", [], [part("x")], free),
                ("plain", [], [part("y")], race),
                ("plain", [part("z"), "elsewhere"], [part("z")], free),
                ("plain", [part("x", byte_offset=1020, bytes=8)], [], race),
                ("plain", [part("x", byte_offset=1024, bytes=8)], [], free),
                ("plain", [part("x", byte_offset=1024)], [], free),
                ("plain", [part("x", byte_offset=1023, bytes=1)], [], race),
                ("plain", [part("x", bytes=0)], [], free),
                ("waits", [part("x"), part("y")], [part("y")], free),
                ("waits", [part("x", unwaited=True)], [], race),
                ("waits", [part("x", unwaited=True, byte_offset=2000)], [], free),
                ("late", [part("y")], [part("y"), part("x")], free),
                ("late", [part("x")], [], race)):
            self.check_contract(kernel, {"writes": writes, "reads": reads}, verdict)
        for kernel, item in (("plain", part("x", bound=True)), ("some", part("x")),
                             ("waits", part("x", bound=True, unwaited=True))):
            self.check_contract(kernel, {"writes": [item], "reads": []}, unknown, "1 unknown")
        self.check_contract("plain", {"writes": [], "reads": []}, unknown,
                            "does not say which buffers it writes and reads", version=1)


if __name__ == "__main__":
    unittest.main()

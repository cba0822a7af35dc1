"""tilerace exec: programs of the driver API on the stand-in driver, and programs that speak to the
checker by themselves, for all that a driver would not do.

    test_exec.py BUILD_FOLDER
"""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = str(BUILD / "tilerace")
TOOLS = str(pathlib.Path(__file__).parents[1] / "tools")
sys.path.insert(0, TOOLS)
from schemas import errors_of, load  # noqa: E402  the folder is known only now

KERNELS = """#include <tile.h>
tile_kernel void scatter(const int *row, float *out, int n)
{
    tile_view o = tile_partition(tile_tensor(out, n, 64), 1, 64);
    tile_store(o, tile_zeros(float, 1, 64), row[tile_bid(0)], 0);
}
tile_kernel void half(float *x, int n)
{
    tile_view o = tile_partition(tile_tensor(x, n), 64);
    tile_store(o, tile_zeros(float, 64), tile_bid(0) / 2);
}
tile_kernel void copy(const float *a, float *b, int n)
{
    tile_view from = tile_partition(tile_tensor(a, n), 64), to = tile_partition(tile_tensor(b, n), 64);
    tile_store(to, tile_load(from, tile_bid(0)), tile_bid(0));
}
tile_kernel void fine(float *x, int n, float f)
{
    tile_view o = tile_partition(tile_tensor(x, n), 64);
    tile_store(o, tile_load(o, tile_bid(0)) * f, tile_bid(0));
}
"""
COUNT = """#include <tile.h>
/* Each tile block counts the ids of its own part, in a row of its own. */
tile_kernel void count(const int *restrict ids, int *restrict counts, int n, int part)
{
    int first = tile_bid(0) * part;
    int row = (tile_bid(0) + 1) * 20;
    int most = n - first < part ? n - first : part;
    if (most < 0)
        most = 0;
    for (int i = 0; i < most; i++) {
        int id = ids[first + i];
        counts[row + id] = counts[row + id] + 1;
    }
}
"""
GATHER = """#include <tile.h>
tile_kernel void gather(const int *ids, const float *x, float *out)
{
    out[tile_bid(0)] = x[ids[tile_bid(0)]];
}
"""
SHARE = """#include <tile.h>
/* Two tile blocks write one element, whatever the table holds. */
tile_kernel void share(const int *restrict ids, int *restrict counts)
{
    int id = ids[tile_bid(0)];
    counts[tile_bid(0) * 20 + 100 + id] = 1;
    counts[tile_bid(0) / 2] = id;
}
"""
SCATTER = 'kernel_scatter = lambda grid, rows, **o: c.launch(m, "scatter", (grid, 1, 1), pointer(0x700000, 4 * len(rows)), pointer(0x800000, 256 * 256), scalar("i", 256), contents={0: struct.pack(f"<{len(rows)}i", *rows)}, **o)'


class Exec(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        of_fine = KERNELS.index("tile_kernel void fine")
        of_copy = KERNELS.index("tile_kernel void copy")
        of_scatter = KERNELS.index("tile_kernel void half")
        for name, text in (("k", KERNELS), ("one", KERNELS[:of_scatter]),
                           ("fair", KERNELS[:of_scatter] + KERNELS[of_copy:]),
                           ("count", COUNT), ("share", SHARE), ("gather", GATHER), ("tiny", "#include <tile.h>\n" + KERNELS[of_fine:])):
            (cls.folder / f"{name}.c").write_text(text)
            subprocess.run([TILERACE, "compile", f"{name}.c", "-o", f"{name}.tilebc"],
                           cwd=cls.folder, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def run_program(self, *command, options=(), cwd=None, **environment):
        return subprocess.run([TILERACE, "exec", "--dry-run", *options, "--", *command],
                              cwd=cwd or self.folder, capture_output=True, text=True, check=False,
                              timeout=120, env={**os.environ, **environment})

    def run_client(self, lines, options=("--no-recording",), module="fair", **more):
        """A program that speaks the wire: `c` is the client, `m` the module, of KERNELS."""
        return self.run_program(*self.client_command(textwrap.dedent(lines), module),
                                options=options, **more)

    @staticmethod
    def client_command(lines, module="fair"):
        head = ("import os, signal, struct, subprocess, sys, time\n"
                f"sys.path.insert(0, {TOOLS!r})\n"
                "from capture_client import *\n"
                "c = Client()\n"
                f"m, entries = c.module(open('{module}.tilebc', 'rb').read())\n" + SCATTER + "\n")
        return sys.executable, "-c", head + lines

    def expect(self, run, code, *said):
        self.assertEqual(run.returncode, code, run.stderr)
        for words in said:
            self.assertIn(words, run.stderr)
        return run

    def write_fat_binary(self, name, *images):
        """Of (kind, architecture, bytes)."""
        entries = b""
        for kind, architecture, image in images:
            image += bytes(-len(image) % 8)
            entries += struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, 64, len(image), 0, 0, 0, 0,
                                   architecture, 0, 0, 0x11, 0, 0) + image
        head = struct.pack("<IHHQ", 0xba55ed50, 1, 16, len(entries))
        (self.folder / name).write_bytes(head + entries)

    # ---- Verdicts on launches ----

    def test_a_race_is_told_with_its_launch(self):
        run = self.run_client("""
            c.launch(m, "half", (1, 1, 1), pointer(0x1000, 4096), scalar("i", 256), line=7)
            print("between")
            c.launch(m, "half", (4, 1, 1), pointer(0x1000, 4096), scalar("i", 256), line=8)
        """, module="k")
        self.expect(run, 1, "different tile blocks write the same elements", "k.c:10:5: error",
                    "user.py:8: note: launched here with grid (4, 1, 1)",
                    "different launches: 1 held, 1 raced", "exit code 1 is the checker's")
        self.assertEqual(run.stdout, "between\n")
        self.assertNotIn("user.py:7", run.stderr)

    def test_environment(self):
        """TILERACE=error stops launches of any program; what it does not take is told as always."""
        for word, outcome in (("warn", 0), ("off", 0), ("error", 1), ("strict", 1)):
            run = self.run_client(f"""
                assert c.launch(m, "half", (1, 1, 1), pointer(0x1000, 4096), scalar("i", 256)) == 0
                for flags in 0, 8:
                    assert {outcome} == c.launch(m, "half", (4, 1, 1), pointer(0x1000, 4096),
                                                 scalar("i", 256), line=8, flags=flags)
            """, module="k", TILERACE=word)
            self.expect(run, 1, "k.c:10:5: error", "1 held, 2 raced")
            self.assertEqual(run.stderr.count("k.c:10:5: error"), 1, "one is for the program")
        run = self.run_client("print('not run')", TILERACE="Warn")
        self.expect(run, 2, "TILERACE is warn, error, strict, interpret or off, not 'Warn'")
        self.assertEqual(run.stdout, "")

    def test_what_programs_say_themselves(self):
        """The rules that are broken stand before the text, and why a launch was not checked."""
        run = self.run_client("""
            def launch(grid, flags, of=m):
                c.launch(of, "half", grid, pointer(0x1000, 4096), scalar("i", 256), line=8, flags=flags)
                return c.found.partition("\\x1f")
            print(launch((1, 1, 1), 8), launch((4, 1, 1), 0))
            rules, mark, text = launch((4, 1, 1), 8)
            print(rules, mark == "\\x1f", "k.c:10:5: error" in text, "user.py:8: note" in text)
            print(launch((1, 1, 1), 8, of=0), launch((1, 1, 1), 0, of=0))
            subprocess.run("for p in $(ps -o pid= --ppid %d); do [ $p = %d ] || kill -9 $p; done"
                           % (os.getppid(), os.getpid()), shell=True, check=True)
            time.sleep(0.3)
            print(launch((2, 1, 1), 8), launch((3, 1, 1), 0))
        """, module="k")
        none = ("", "", "")
        self.assertEqual(run.stdout.splitlines(), [
            f"{none} {none}", "TR001 True True True",
            str(("unchecked", "\x1f", "user.py:8: error: the launch of 'half' is not checked: its "
                 "Tile IR was never seen\n")) + f" {none}",
            str(("unchecked", "\x1f", "user.py:8: error: the launch of 'half' is not checked: its "
                 "process died\n")) + f" {none}"])

    def test_summary(self):
        """The counts of the last lines, as JSON."""
        path = self.folder / "summary.json"
        run = self.run_client("""
            for grid in 1, 2, 4:
                c.launch(m, "half", (grid, 1, 1), pointer(0x1000, 4096), scalar("i", 256), line=8)
            c.launch(0, "other", (1, 1, 1))
        """, module="k", options=("--no-recording", "--summary", path))
        self.expect(run, 1, "1 held, 2 raced")
        summary = json.loads(path.read_text())
        self.assertEqual(summary["launches"], {
            "held": 1, "allowed": 0, "not_checked": 0, "undecided": 0, "broke": 0, "raced": 2, "lost": 0,
            "told": 2, "executed": 0, "not_executed": 0, "executed_wrong": 0})
        self.assertEqual(summary["kernels"], {
            "seen": 4, "launched": 1, "never_seen": 1, "proved": 2, "conditional": 1, "racy": 1,
            "unknown": 0, "racy_allowed": 0, "racy_not_launched": 0, "racy_elsewhere": 0})
        self.assertEqual(summary["words"], "tilerace: 'other' was launched 1 time and never seen\n")
        run = self.run_client("", module="k", options=("--no-recording", "--summary", path))
        self.expect(run, 1, "'half' was not launched")
        summary = json.loads(path.read_text())
        self.assertEqual(summary["kernels"]["racy_not_launched"], 1)
        self.assertIn("'half' was not launched", summary["words"])
        run = self.run_client("", options=("--no-recording", "--summary", "/nowhere/summary.json"))
        self.expect(run, 2, "the summary cannot be written to /nowhere/summary.json: ")

    def test_other_launches_than_those_seen(self):
        run = self.run_client("""
            c.launch(m, "half", (1, 1, 1), pointer(0x1000, 4096), scalar("i", 256))
        """, module="k", options=("--recording", self.folder / "recording"))
        self.expect(run, 0, "'half' races at other launches than those seen; `tilerace check` of "
                    "the recording shows how\n")
        run = self.run_client("""
            c.launch(m, "half", (1, 1, 1), pointer(0x1000, 4096), scalar("i", 256))
        """, options=("--no-recording", "--fail-on", "race"), module="k")
        self.expect(run, 1, "'half' races at other launches than those seen\n")
        run = self.run_client("", module="k")
        self.expect(run, 1, "k.c:10:5: error", "'half' was not launched")

    def test_contents_decide(self):
        right = "kernel_scatter(8, [0, 1, 2, 3, 4, 5, 6, 7, 7, 7], line=3)"
        wrong = "kernel_scatter(8, [0, 1, 2, 3, 4, 5, 5, 7, 8, 9], line=4)"
        run = self.run_client(right + "\nassert c.asked == [(0, 40)]")
        self.expect(run, 0, "1 held")
        self.assertNotIn("user.py", run.stderr)
        run = self.run_client(right + "\n" + wrong)
        self.expect(run, 1, "1 held, 1 raced", "user.py:4: note", "row", "5")

    def test_contents_that_cannot_be_read(self):
        run = self.run_client("""
            c.launch(m, "scatter", (8, 1, 1), pointer(0x1000, 40, False), pointer(0x9000, 8192),
                     scalar("i", 32), line=5)
            c.launch(m, "scatter", (8, 1, 1), pointer(0x2000, 40), pointer(0x9000, 8192),
                     scalar("i", 32), line=6)
            assert c.asked == [(0, 40)]
        """)
        self.expect(run, 0, "0 held, 2 not checked", "user.py:5: note: the contents of buffers")

    def test_equal_words_of_specialisations(self):
        run = self.run_client("""
            other, _ = c.module(open("one.tilebc", "rb").read())
            for module in m, other:
                c.launch(module, "scatter", (8, 1, 1), pointer(0x1000, 40, False),
                         pointer(0x9000, 8192), scalar("i", 32), line=5)
        """)
        self.expect(run, 0, "0 held, 2 not checked")
        self.assertEqual(run.stderr.count("user.py:5: note: the contents of buffers"), 1)

    def test_code_that_another_process_made(self):
        """A tuner launches machine code in a process that has not compiled it."""
        run = self.run_client("""
            code, other = struct.pack("<QQ", 1, 2), struct.pack("<QQ", 1, 3)
            assert c.ask("CODE", struct.pack("<I", m) + code)[0] == "NOTED"
            d = Client()
            whose, known = d.entries("WHOSE", code)
            assert (whose, known) == (m, entries) and known, (whose, known)
            assert d.entries("WHOSE", other) == (0, {})
            d.launch(whose, "copy", (4, 1, 1), pointer(0x1000, 1024), pointer(0x9000, 1024),
                     scalar("i", 256), line=1)
        """)
        self.expect(run, 0, "0 launched but never seen", "1 held")
        run = self.run_client("""
            c.send("CODE", struct.pack("<IQQ", 9, 1, 2)) # of no module
            c.socket.recv(100)
        """)
        self.expect(run, 2, "stopped speaking")

    def test_views_of_one_array(self):
        run = self.run_client("""
            whole = 4 * 64 * 8
            c.launch(m, "copy", (4, 1, 1), pointer(0x1000, whole), pointer(0x1000 + 4 * 256,
                     whole, start=0x1000), scalar("i", 256), line=1)
            c.launch(m, "copy", (4, 1, 1), pointer(0x1000, whole), pointer(0x1000 + 4 * 64,
                     whole, start=0x1000), scalar("i", 256), line=2)
        """)
        self.expect(run, 1, "1 held, 1 raced", "user.py:2: note")
        self.assertNotIn("user.py:1:", run.stderr)

    def test_memory_of_unknown_end(self):
        """It is an array of its own, unless it begins in what is known of another."""
        program = """
            ids = struct.pack("<20i", *range(20))
            def launch(*arguments):
                c.launch(m, "gather", (20, 1, 1), *arguments, contents={0: ids})
            FAR = 0x555500000000
        """
        held, inside = ("1 held",), ("1 raced", "'arg1' and 'arg2' overlap in this launch")
        for arguments, said in (
                # both of unknown end, and neither can be read
                ("pointer(FAR, 80, False), pointer(0x1000), pointer(0x900000)", held),
                ("pointer(FAR, 80, False), pointer(0x900000), pointer(0x1000)", held),
                ("pointer(0x1000), pointer(0x900000), pointer(0x901000)", held),
                # one of them
                ("pointer(FAR, 80, False), pointer(0x1000), pointer(0x900000, 80)", held),
                ("pointer(FAR, 80), pointer(0x900000, 80), pointer(0x1000)", held),
                ("pointer(FAR, 80), pointer(0x1050), pointer(0x1000, 80)", held),
                # what it begins in, or with
                ("pointer(FAR, 80), pointer(0x104c), pointer(0x1000, 80)", inside),
                ("pointer(FAR, 80), pointer(0x1010), pointer(0x1000, 80)", inside),
                ("pointer(FAR, 80), pointer(0x1000, 80), pointer(0x1010)", inside),
                ("pointer(FAR, 80), pointer(0x1000), pointer(0x1000)", held),
                # both are known
                ("pointer(FAR, 80), pointer(0x1010, 80), pointer(0x1000, 80)", inside),
                # what is missing are the contents, and not where memory ends
                ("pointer(FAR, 80, False), pointer(0x900000, 80), pointer(0x1000)",
                 ("1 not checked", "the contents of buffers, which were not looked at, tell whether "
                  "every element of 'arg0'")),
                # a table of 80 bytes far behind the beginning of what it lies in
                ("pointer(FAR, 80), pointer(0x1010), pointer(0x1000, FAR, False)",
                 ("1 not decided",))):
            with self.subTest(arguments):
                run = self.run_client(textwrap.dedent(program) + f"launch({arguments})",
                                      module="gather")
                self.expect(run, 1 if said is inside else 0, *said)

    def test_launches_at_the_edges(self):
        run = self.run_client("""
            x = lambda n: (pointer(0x1000, 4096), scalar("i", n), scalar("f", float("nan")))
            c.launch(m, "fine", (0, 1, 1), *x(256))
            c.launch(m, "fine", (1, 1, 1), *x(0))
            c.launch(m, "fine", (4, 1, 1), *x(256))
            c.launch(m, "fine", (4, 1, 1), pointer(0, 0), scalar("i", 0), scalar("f", 1.0))
        """)
        self.expect(run, 1, "2 held, 2 broke", "[TR007]")
        run = self.run_client("""
            x = (pointer(0x1000, 4096), scalar("i", 256), scalar("f", 1.0))
            c.launch(m, "fine", (1 << 24, 1, 1), *x, line=2)
            c.launch(m, "fine", ((1 << 64) - 1, 1, 1), *x, line=3)
            c.launch(m, "fine", (1, 1, 1), *x[:2], line=4)
            c.launch(m, "fine", (1, 1, 1), x[0], scalar("b", 1), x[2], line=5)
            c.launch(m, "none of it", (1, 1, 1), *x, line=6)
            c.launch(m + 7, "of no module", (1, 1, 1), *x, line=7)
        """)
        self.expect(run, 2, "'of no module' was launched 1 time and never seen", "user.py:2: error",
                    "user.py:3: error", "0 held, 2 not checked, 2 broke, 1 lost")

    # ---- Names ----

    def names(self, *parameters, **more):
        return json.dumps({"function": "copy", "file": "user.py", "line": 3,
                           "parameters": list(parameters), **more})

    def test_names_of_the_front_end(self):
        """All entries of a module have the same names, so they fit none of KERNELS: tried on one
        that has one entry."""
        names = self.names({"name": "rows.index", "part": "pointer", "shape": [None],
                            "strides": [1]},
                           {"name": "q", "part": "pointer", "shape": [None, 64],
                            "strides": [64, 1]},
                           {"name": "q", "part": "extent", "axis": 0})
        run = self.run_client(f"""
            n, _ = c.module(open("one.tilebc", "rb").read(), names={names!r})
            rows = struct.pack("<4i", 3, 1, 3, 0)
            c.launch(n, "scatter", (4, 1, 1), pointer(0x1000, 16), pointer(0x9000, 1 << 20),
                     scalar("i", 64), contents={{0: rows}}, line=2)
            c.launch(n, "scatter", (65, 1, 1), pointer(0x1000, 16), pointer(0x9000, 1 << 20),
                     scalar("i", -1), contents={{0: rows}}, line=3)
        """)
        self.expect(run, 1, "elements of 'q'", "rows.index[2] = 3", "q.shape[0] = 64")

    def test_names_cost_no_proof(self):
        """The names of parameters, and what arrays span, are told with the module of a front end:
        tiles that are numbered in groups are proved as without them, for all launches."""
        program = """
            T = 32
            @ct.kernel
            def by_view(a, c, RACY: ct.Constant[bool]):
                m, n, b = ct.cdiv(c.shape[0], T), ct.cdiv(a.shape[1], T), ct.bid(0)
                first = b // (8 * n) * 8
                rows = min(m - first, 8)
                place = (first + b % rows, b % (8 * n) // (8 if RACY else rows))
                ct.store(c, place, ct.load(a, place, (T, T)))

            @ct.kernel
            def by_place(a, c, RACY: ct.Constant[bool]):
                m, n, b = c.shape[0], a.shape[1], ct.bid(0)
                first = b // (8 * n) * 8
                rows = min(m - first, 8)
                place = (first + b % rows, b % (8 * n) // (8 if RACY else rows))
                ct.scatter(c, place, ct.gather(a, place))

            kernel, shape = {"view": (by_view, (384, 64)), "place": (by_place, (12, 2))}[sys.argv[1]]
            a, c = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
            ct.launch(None, (24,), kernel, (a, c, "racy" in sys.argv))
        """
        for kernel in "view", "place":
            with self.subTest(kernel=kernel):
                self.expect(self.run_python(program, kernel), 0, "1 proved, 0 conditional", "1 held")
                self.expect(self.run_python(program, kernel, "racy"), 1, "1 raced",
                            "elements of 'c'")

    def test_extents_of_which_the_lower_end_is_open(self):
        """No extent of an array is negative, whatever is stated: that none is 0 is asked of the
        launch, also beside an upper bound."""
        script = self.folder / "program.py"
        script.write_text(textwrap.dedent("""
            import cuda.tile as ct, numpy as np
            @ct.kernel
            def fill(a, c):
                ct.store(c, ct.bid(0), ct.full((16,), 100 // a.shape[0], ct.int32))
            ct.launch(None, (4,), fill, (np.zeros(63, np.int32), np.zeros(64, np.int32)))
        """))
        python = str(pathlib.Path(__file__).parents[2] / "build/capture/bin/python3")
        self.expect(self.run_program(python, str(script), options=("--recording", "seen")), 0,
                    "1 proved", "1 held")
        module, = (self.folder / "seen/modules").glob("*.tilebc")
        stated = self.folder / "stated.json"
        for statement in {}, {"max": 4096}:
            stated.write_text(json.dumps({"version": 2, "launches": [
                {"args": [{"name": "a0_shape0", **statement}]}]}))
            run = subprocess.run([TILERACE, "check", "--launch", str(stated), str(module)],
                                 capture_output=True, text=True, check=False)
            self.assertIn("requires: a0_shape0 > 0", run.stdout)
            self.assertEqual(run.returncode, 0, run.stdout)

    def test_names_that_fit_nothing(self):
        hostile = (
            "", "{", "[]", "null", '{"parameters": 3}', '{"parameters": [3, null]}',
            self.names(), self.names({"name": "a"}), "[" * 5000,
            self.names({"name": "a", "part": "pointer"}, {"name": "a", "part": "pointer"},
                       {"name": "a", "part": "extent", "axis": 99}),
            self.names({"name": "%s%n", "part": "pointer"}, {"name": "\u001b[31m", "part": "table"},
                       {"name": "grid.x"}),
            self.names({"name": "a", "part": "pointer", "shape": [1] * 99}, {"name": "b"}, {}),
        )
        run = self.run_client(f"""
            for line, names in enumerate({hostile!r}):
                n, _ = c.module(open("tiny.tilebc", "rb").read(), names=names)
                c.launch(n, "fine", (4, 1, 1), pointer(0x1000, 4096), scalar("i", 100),
                         scalar("f", 1.0), line=line + 1)
        """, module="tiny")
        self.expect(run, 1, "12 broke", *(f"user.py:{line + 1}:" for line in range(len(hostile))))

    # ---- Exit codes and streams ----

    def test_exit_codes(self):
        quiet = ("--no-recording",)
        self.expect(self.run_program("true", options=quiet), 0, "nothing was seen",
                    "exit code 0 is the program's own")
        self.expect(self.run_program("sh", "-c", "exit 7", options=quiet), 7)
        self.expect(self.run_program("sh", "-c", "kill -SEGV $$", options=quiet),
                    128 + signal.SIGSEGV)
        self.expect(self.run_program("no such program", options=quiet), 2, "cannot be run")
        unseen = 'c.launch(0, "k", (1, 1, 1)); c.launch(0, "k", (1, 1, 1))'
        only = ("--no-recording", "--fail-on", "unknown")
        self.expect(self.run_client(unseen), 1, "launched 2 times and never seen")
        self.expect(self.run_client(unseen, options=("--no-recording", "--error-exitcode", "9")), 9)
        self.expect(self.run_client("sys.exit(5)", options=only), 5, "program's own")
        bad = subprocess.run([TILERACE, "exec"], capture_output=True, text=True, check=False)
        self.expect(bad, 2, "needs a command")

    def test_words_of_the_program_are_its_own(self):
        run = self.run_program("sh", "-c", 'echo "$0" "$@"; cat', "--fail-on", "-x",
                               options=("--no-recording",))
        self.assertEqual(run.stdout, "--fail-on -x\n")
        run = subprocess.run([TILERACE, "exec", "--dry-run", "--no-recording", "printf", "%s",
                              "--help", "--"], capture_output=True, text=True, check=False)
        self.assertEqual(run.stdout, "--help--")

    def test_a_driver_program(self):
        source = """
            typedef int R; typedef unsigned long long P; typedef void *H;
            #include <stdio.h>
            #include <string.h>
            R cuInit(unsigned); R cuDeviceGet(int *, int); R cuDevicePrimaryCtxRetain(H *, int);
            R cuCtxSetCurrent(H); R cuModuleLoadData(H *, const void *);
            R cuModuleGetFunction(H *, H, const char *); R cuMemAlloc_v2(P *, size_t);
            R cuMemcpyHtoD_v2(P, const void *, size_t); R cuCtxSynchronize(void);
            R cuLaunchKernel(H, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             H, void **, void **);
            static char image[1 << 20];
            int main(int n, char **words)
            {
                H context, module, scatter;
                P row, out;
                int device, rows[8] = {0, 1, 2, 3, 4, 5, 5, 7}, size = 16, bad = 0;
                FILE *file = fopen(n > 2 ? words[2] : "fair.tilebc", "rb");
                bad |= !fread(image, 1, sizeof image, file);
                bad |= cuInit(0) | cuDeviceGet(&device, 0);
                bad |= cuDevicePrimaryCtxRetain(&context, device) | cuCtxSetCurrent(context);
                bad |= cuModuleLoadData(&module, image);
                bad |= cuModuleGetFunction(&scatter, module, "scatter");
                bad |= cuMemAlloc_v2(&row, sizeof rows) | cuMemAlloc_v2(&out, 16 * 64 * 4);
                void *arguments[] = {&row, &out, &size};
                for (int i = 0; i < 3; i++) {
                    rows[6] = i == 1 && n > 1 ? 5 : 6; /* changes in place */
                    bad |= cuMemcpyHtoD_v2(row, rows, sizeof rows);
                    bad |= cuLaunchKernel(scatter, 8, 1, 1, 1, 1, 1, 0, 0, arguments, 0);
                }
                bad |= cuCtxSynchronize();
                return bad ? 100 : 0;
            }
        """
        (self.folder / "driver.c").write_text(source)
        subprocess.run(["gcc", "-o", "driver", "driver.c", f"-L{BUILD}/capture/stand_in",
                        "-l:libcuda.so.1"], cwd=self.folder, check=True)
        fails = ("--no-recording", "--fail-on", "broken")
        self.expect(self.run_program("./driver", options=fails), 0, "different launches: 1 held\n")
        run = self.run_program("./driver", "twice", options=fails)
        self.expect(run, 1, "1 held, 1 raced", "./driver: note: launched here", "'arg1'")
        # As nvcc packs it: beside machine code, and beside Tile IR for a newer device.
        fair, tiny = ((self.folder / f"{name}.tilebc").read_bytes() for name in ("fair", "tiny"))
        self.write_fat_binary("fat", (2, 90, b"\177ELF"), (0x80, 90, fair), (0x80, 120, tiny))
        run = self.run_program("./driver", "twice", "fat", options=fails)
        self.expect(run, 1, "1 held, 1 raced", "./driver: note: launched here", "'arg1'")
        self.write_fat_binary("fat", (0x80, 90, fair[:-50]))
        run = self.run_program("./driver", "twice", "fat", options=fails)
        self.expect(run, 2, "a module is not checked", "'scatter' was launched 1 time")

    def test_allocations_that_are_too_small(self):
        """A program on the driver API tells how large its allocations are, its kernels how far they
        go in each: by no mask, by one, by a view, by a branch, by a loop."""
        (self.folder / "reach.c").write_text("""#include <tile.h>
            tile_kernel void plain(const float *w, float *out)
            {
                tile lane = tile_iota(128);
                tile_store_ptr(tile_pointers(out, lane + tile_bid(0) * 128),
                               tile_load_ptr(tile_pointers(w, lane)));
            }
            tile_kernel void masked(const float *w, float *out)
            {
                tile lane = tile_iota(128);
                tile row = tile_load_masked(tile_pointers(w, lane), tile_lt(lane, 100), 0.0f);
                tile_store_ptr(tile_pointers(out, lane + tile_bid(0) * 128), row);
            }
            tile_kernel void viewed(const float *w, float *out, int n)
            {
                tile_view from = tile_partition(tile_tensor(w, n), 64);
                tile_view to = tile_partition(tile_tensor(out, n), 64);
                tile_store(to, tile_load(from, tile_bid(0)), tile_bid(0));
            }
            tile_kernel void rows(const float *w, float *out, int m, int n, int pitch)
            {
                tile_assume(pitch >= n);
                tile_view from = tile_partition(tile_tensor_strided(w, tile_shape(m, n), tile_strides(pitch, 1)), 1, 64);
                tile_view to = tile_partition(tile_tensor(out, m, n), 1, 64);
                int row = tile_bid(0) / 2, part = tile_bid(0) % 2;
                tile_store(to, tile_load(from, row, part), row, part);
            }
            tile_kernel void guarded(const float *w, float *out, int n)
            {
                int b = tile_bid(0);
                if (b < n)
                    out[b] = w[b];
            }
            tile_kernel void looped(const float *w, float *out, int n)
            {
                for (int i = tile_bid(0); i < n; i += tile_grid_extent(0))
                    out[i] = w[i];
            }
            tile_kernel void first(const float *w, float *out, int n)
            {
                tile_view from = tile_partition(tile_tensor(w, n), 64);
                tile_view to = tile_partition(tile_tensor(out, n), 64);
                tile_store(to, tile_load(from, 0), tile_bid(0));
            }
        """)
        subprocess.run([TILERACE, "compile", "reach.c", "-o", "reach.tilebc"], cwd=self.folder,
                       check=True)
        # Of each kernel its grid, the bytes that it needs of both buffers, and its scalars.
        cases = (("plain", 4, 512, 2048), ("masked", 4, 400, 2048), ("viewed", 4, 1000, 1000, 250),
                 ("rows", 6, 200 * 8 + 100 * 4, 1200, 3, 100, 200), ("guarded", 9, 28, 28, 7),
                 ("looped", 3, 68, 68, 17), ("first", 4, 256, 1000, 250))
        program = """
            for short in ((0, 0), (4, 0), (0, 4)):
                w, out = pointer(0x700000, {1} - short[0]), pointer(0x800000, {2} - short[1])
                c.launch(m, {0!r}, ({3}, 1, 1), w, out, *(scalar("i", v) for v in {4}))
        """
        for name, grid, w, out, *scalars in cases:
            with self.subTest(name):
                run = self.run_client(program.format(name, w, out, grid, tuple(scalars)),
                                      module="reach")
                self.expect(run, 1, "1 held, 2 broke", "this load leaves 'arg0'",
                            "this store leaves 'arg1'")

    # ---- Faults ----

    def test_what_is_no_conversation(self):
        for words in ("c.socket.sendall(b'x' * 4000)", "c.socket.sendall(b'\\xff' * 8)",
                      "c.send('LAUNCHED', b'')", "c.send('LAUNCH', b'')", "c.send('CONTENTS')",
                      "c.send('MODULE', data(b'abc'))",
                      "c.socket.sendall(frame('BYE', b'')[:5])",
                      "c.socket.sendall(struct.pack('<II', 1 << 29, 2))"):
            run = self.run_client(words + "\nc.socket.shutdown(1)\nc.socket.recv(100)\nprint('on')")
            self.assertEqual(run.stdout, "on\n", words)
            self.assertIn("tilerace: 3 kernels seen", run.stderr, words)

    def test_modules_that_are_none(self):
        run = self.run_client("""
            for code in (b"", b"x", b"\\x7fTileIR\\0" + b"y" * 100, open("fair.tilebc", "rb").read()[:90]):
                n, e = c.module(code)
                assert (n, e) == (0, {}), (n, e)
        """, options=("--no-recording", "--fail-on", "unknown"))
        self.expect(run, 2, "4 modules not checked")

    def test_a_checker_that_dies(self):
        """The processes that check are killed, once before and once while a launch waits."""
        run = self.run_client("""
            watcher = os.getppid()
            kill = "for p in $(ps -o pid= --ppid %d); do [ $p = %d ] || kill -9 $p; done" % (watcher,
                   os.getpid())
            subprocess.run(["sh", "-c", kill], check=True)
            time.sleep(0.3)
            for line in range(3):
                kernel_scatter(8, [0, 1, 2, 3, 4, 5, 6, 7], line=line + 1)
            print("goes on")
        """)
        self.assertEqual(run.stdout, "goes on\n")
        self.expect(run, 2, "1 module not checked", "its process died", "3 lost", "is the checker's")

    def test_a_signal_to_all(self):
        """What `timeout` sends to a group of processes ends the program, and not what checks it."""
        program = textwrap.dedent("""
            def stop(*_):
                signal.signal(signal.SIGTERM, signal.SIG_IGN) # it comes from the checker too
                kernel_scatter(8, [0, 1, 2, 3, 4, 4, 6, 7], line=7)
                sys.exit(3)
            signal.signal(signal.SIGTERM, stop)
            kernel_scatter(8, [0, 1, 2, 3, 4, 5, 6, 7])
            print("ready", flush=True)
            time.sleep(60)
        """)
        with subprocess.Popen([TILERACE, "exec", "--dry-run", "--no-recording", "--",
                               *self.client_command(program)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as run:
            self.assertEqual(run.stdout.readline(), "ready\n")
            os.killpg(run.pid, signal.SIGTERM)
            _, said = run.communicate(timeout=30)
        self.assertIn("different launches: 1 held, 1 raced\n", said)
        self.assertNotIn("not checked", said)

    def test_an_interrupt_after_the_program_has_ended(self):
        """The checker's process is stopped, and would be waited for three quarters of a minute."""
        program = f"""
import os, subprocess, sys
sys.path.insert(0, {TOOLS!r})
from capture_client import *
c = Client()
m, _ = c.module(open("tiny.tilebc", "rb").read())
x = pointer(0x1000, 4096), scalar("i", 256), scalar("f", 1.0)
c.launch(m, "fine", (4, 1, 1), *x)
others = subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getppid())], capture_output=True,
                        text=True).stdout.split()
for other in map(int, others):
    if other != os.getpid():
        os.kill(other, 19)
c.passed(m, "fine", (3, 1, 1), *x)
print("ends", flush=True)
"""
        with subprocess.Popen([TILERACE, "exec", "--dry-run", "--no-recording", "--", sys.executable,
                               "-c", program], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as run:
            self.assertEqual(run.stdout.readline(), "ends\n")
            time.sleep(1)
            before = time.monotonic()
            run.send_signal(signal.SIGINT)
            _, said = run.communicate(timeout=40)
        self.assertLess(time.monotonic() - before, 20)
        self.assertEqual(run.returncode, 2, said)
        self.assertIn("1 held, 1 lost", said)
        self.assertIn("interrupted", said)

    def test_processes_left_behind(self):
        run = self.run_program("sh", "-c", "sleep 30 >/dev/null 2>&1 & exit 3", options=("--no-recording",))
        self.assertEqual(run.returncode, 3)
        run = self.run_client("""
            if os.fork() == 0:
                d = Client()
                os.setsid()
                os.dup2(os.open("/dev/null", os.O_RDWR), 1), os.dup2(1, 2)
                time.sleep(20)
                os._exit(0)
        """)
        self.assertEqual(run.returncode, 0)

    def test_children_and_threads(self):
        run = self.run_client("""
            import threading
            def work(i):
                d = Client()
                n, _ = d.module(open("fair.tilebc", "rb").read())
                assert n == m
                for k in range(20):
                    d.launch(n, "copy", (4, 1, 1), pointer(0x1000, 4096), pointer(0x9000, 4096),
                             scalar("i", 256 + k), line=i + 1)
            threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
            [t.start() for t in threads], [t.join() for t in threads]
            if os.fork() == 0:
                work(9)
                os._exit(0)
            os.wait()
        """)
        self.expect(run, 0, "180 held", "3 kernels seen in 1 module")

    def test_the_order_of_modules_makes_no_difference(self):
        """The last lines are those of the same kernels and launches, whoever comes first."""
        racy = KERNELS[:KERNELS.index("tile_kernel void copy")]
        for name in "ab":
            (self.folder / f"order_{name}.c").write_text(racy.replace("half", f"half_{name}"))
            subprocess.run([TILERACE, "compile", f"order_{name}.c", "-o", f"order_{name}.tilebc"],
                           cwd=self.folder, check=True)
        said = set()
        for order in ("ab", "ba"):
            run = self.run_client(f"""
                for name in {order!r}:
                    n, _ = c.module(open(f"order_{{name}}.tilebc", "rb").read())
                    c.launch(n, "scatter", (4, 1, 1), pointer(0x700000), pointer(0x800000), scalar("i", 256), line=ord(name))
                    c.launch(n, "scatter", (5, 1, 1), pointer(0x700000), pointer(0x800000), scalar("i", 256), line=ord(name) - 50)
                    c.send("REMARK", struct.pack("<I", 0) + text(f"of {{name}}"))
                    c.launch(0, f"unknown_{{name}}", (1, 1, 1))
                c.launch(m, "scatter", (1, 1, 1), pointer(0x700000), pointer(0x800000), scalar("i", 256), line=1)
            """)
            self.expect(run, 1, "'half_a' was not launched", "'half_b' was not launched",
                        "5 not checked", "user.py:47: note", "user.py:1: note")
            said.add(run.stderr)
        self.assertEqual(len(said), 1, "\n".join(said))

    def test_the_program_is_the_one_that_launches(self):
        """Not the command that starts it; and nothing else of its command line."""
        run = self.run_program("timeout", "100", *self.client_command(
            'c.passed(m, "half", (4, 1, 1), pointer(0x1000, 4096), scalar("i", 256), file="")\n', "k"),
            options=("--no-recording",))
        self.expect(run, 1, "test: note: launched here with grid (4, 1, 1)")  # as the client says
        python = str(pathlib.Path(__file__).parents[2] / "build/capture/bin/python3")
        (self.folder / "launching.py").write_text(textwrap.dedent("""
            import cuda.tile as ct, numpy as np
            @ct.kernel
            def fill(out):
                ct.store(out, (ct.bid(0) // 2,), ct.zeros((16,), ct.float32))
            ct.launch(None, (4,), fill, (np.zeros(64, np.float32),))
        """))
        options = ("--recording", str(self.folder / "of_program"))
        run = self.run_program("timeout", "100", python, "-X", "utf8", "launching.py", "secret",
                               options=options)
        self.expect(run, 1, "launching.py:6: note: launched here", "1 raced")
        run = subprocess.run([TILERACE, "check", "of_program"], cwd=self.folder, text=True,
                             capture_output=True, check=False)
        self.assertRegex(run.stdout, "launched at: .*launching.py:6, by "
                         f"{re.escape(python)} -X utf8 launching.py\n")

    def run_python(self, text, *words, options=()):
        """A program in cuTile Python; what it imports is there."""
        script = self.folder / "program.py"
        script.write_text("import sys\nimport cuda.tile as ct\nimport numpy as np\n"
                          + textwrap.dedent(text))
        python = pathlib.Path(__file__).parents[2] / "build/capture/bin/python3"
        return self.run_program(str(python), str(script), *words,
                                options=("--no-recording", *options))

    def test_claims_on_axes_of_one_element(self):
        """The front end claims divisibility of the stride of an axis that has one element, also
        where it has made it 1. Nothing depends on it: neither an error nor a race that it hides."""
        program = """
            @ct.kernel
            def fill(out, T: ct.Constant[int], HALVE: ct.Constant[int]):
                b = ct.bid(0) // HALVE
                ct.store(out, %s, ct.zeros(%s, ct.float32))
            shape, order = %s
            array = np.zeros(shape, np.float32, order)
            ct.launch(None, (4,), fill, (array, 16, 1 + ("racy" in sys.argv)))
        """
        for index, tile, shape in (("(b, 0)", "(T, 1)", ((64, 1), "C")),
                                   ("(b, 0)", "(T, 1)", ((64, 1), "F")),
                                   ("(0, b)", "(1, T)", ((1, 64), "C")),
                                   ("(b, 0, 0)", "(T, 1, 1)", ((64, 1, 1), "C")),
                                   ("(0, b, 0)", "(1, T, 1)", ((1, 64, 1), "C")),
                                   ("(b, 0)", "(1, 1)", ((5, 1), "C"))):
            with self.subTest(shape=shape):
                text = program % (index, tile, shape)
                self.expect(self.run_python(text), 0, "1 held")
                self.expect(self.run_python(text, "racy"), 1, "1 raced", "elements of 'out'")

    def test_stop_at_race(self):
        """The launch is refused, in words of the driver, each time; right ones are not."""
        program = """
            @ct.kernel
            def half(x, d: ct.Constant[int]):
                ct.store(x, index=(ct.bid(0) // d,), tile=ct.full((16,), 1.0, ct.float32))

            x = np.zeros(64, np.float32)
            ct.launch(None, (4,), half, (x, 1))
            for _ in range(3):
                try:
                    ct.launch(None, (4,), half, (x, 2))
                except RuntimeError as error:
                    print("refused" if "launch" in str(error).lower() else error, flush=True)
            ct.launch(None, (4,), half, (x, 1))
            print("on")
        """
        run = self.run_python(program, options=("--stop-at-race",))
        self.expect(run, 1, "1 held, 1 raced", "[TR001]")
        self.assertEqual(run.stdout, 3 * "refused\n" + "on\n")
        run = self.run_python(program)
        self.expect(run, 1, "1 held, 1 raced")
        self.assertEqual(run.stdout, "on\n")
        run = self.run_python(program, options=("--stop-at-race", "--interpret"))
        self.expect(run, 1, "2 interpreted, 0 not interpreted")

    def test_launches_that_may_overlap(self):
        """By the argument programmatic_dependent_launch of ct.launch; test_exec_dependent.py has
        what else there is to such launches."""
        program = """
            @ct.kernel
            def double(x, y, wait: ct.Constant[int]):
                b = ct.bid(0)
                if wait == 1:
                    ct.grid_dependency_control_wait()
                tile = ct.load(x, index=(b,), shape=(16,))
                if wait == 2:
                    ct.grid_dependency_control_wait()
                ct.store(y, index=(b // 2 if wait == 3 else b,), tile=tile * 2)

            # Both orders of the arrays' addresses.
            all = np.zeros((4, 64), np.float32)
            x, y, z, w = all[::-1] if "down" in sys.argv else all
            ct.launch(None, (4,), double, (x, y, 0))
            if "between" in sys.argv:
                ct.launch(None, (4,), double, (x, w, int(sys.argv[2])),
                          programmatic_dependent_launch=True)
            ct.launch(None, (4,), double, (w if "apart" in sys.argv else y, z, int(sys.argv[1])),
                      programmatic_dependent_launch=True)
        """
        for words in ("1",), ("1", "down"), ("0", "apart"), ("2", "apart"):
            self.expect(self.run_python(program, *words), 0, "2 held")
        for words in ("0",), ("2",), ("2", "down"):
            self.expect(self.run_python(program, *words), 1, "1 held, 1 raced",
                        "program.py:10:12: error: the launch of 'double' at ",
                        "program.py:18 may still write 'x': this load does not come after a wait",
                        "program.py:22: note: launched here with grid (4, 1, 1)",
                        "program.py:18: note: 'double', launched here with grid (4, 1, 1), may "
                        "still run")
        self.expect(self.run_python(program, "3"), 1, "1 held, 1 raced", "[TR001]")
        self.expect(self.run_python(program, "1", "1", "between"), 0, "3 held")
        run = self.run_python(program, "1", "0", "between")
        self.expect(run, 1, "2 held, 1 raced", "program.py:18 may still write 'x' when this load "
                    "runs: a launch between the two did not wait for it")
        run = self.run_python(program, "0", options=("--interpret",))
        self.expect(run, 1, "1 held, 1 raced", "2 interpreted")
        run = self.run_python(program, "0", options=("--stop-at-race",))
        self.expect(run, 1, "1 held, 1 raced", "unspecified launch failure")

    def test_contents_that_a_kernel_writes(self):
        """In a dry run they are not there, so nothing is said of them; what the host wrote is."""
        program = """
            @ct.kernel
            def number(index, T: ct.Constant[int]):
                b = ct.bid(0)
                ct.store(index, b, ct.arange(T, dtype=ct.int32) + b * T)

            @ct.kernel
            def place(index, out, T: ct.Constant[int]):
                b = ct.bid(0)
                ct.scatter(out, ct.load(index, b, T), ct.full((T,), b, ct.int32))

            index, out = np.zeros(64, np.int32), np.zeros(64, np.int32)
            if "first" in sys.argv:
                ct.launch(None, (4,), number, (index, 16))
            ct.launch(None, (4,), place, (index, out, 16))
            ct.launch(None, (4,), place, (np.arange(64, dtype=np.int32), out, 16))
        """
        self.expect(self.run_python(program), 1, "1 held, 1 raced")
        self.expect(self.run_python(program, "first"), 0, "2 held, 1 not checked",
                    "are not known in a dry run")

    def test_races_by_contents_that_a_kernel_writes(self):
        """No precondition excuses the rounding up, so a launch is a race or none by what its table
        holds; where that is not there, nothing is said of a race."""
        program = """
            @ct.kernel
            def starts(table, T: ct.Constant[int]):
                b = ct.bid(0)
                ct.store(table, b, ct.arange(T, dtype=ct.int32) + b * T)

            @ct.kernel
            def fill(table, out, n: int):
                b = ct.bid(0)
                start = ct.gather(table, b).item() // 4
                end = (ct.gather(table, b + 1).item() + 3) // 4
                for i in range(max(0, end - start)):
                    ct.scatter(out, start + i, b)

            table, out = np.zeros(32, np.int32), np.zeros(64, np.int32)
            if "first" in sys.argv:
                ct.launch(None, (2,), starts, (table, 16))
            else:
                table[:] = np.arange(32) * 4 + 2 * ("right" not in sys.argv)
            ct.launch(None, (8,), fill, (table, out, 8))
        """
        self.expect(self.run_python(program, "first"), 0, "1 held, 1 not checked",
                    "the contents of ")
        self.expect(self.run_python(program, "right"), 0, "1 held")
        self.expect(self.run_python(program), 1, "1 raced", "elements of 'out'")

    def test_races_by_counters_of_an_earlier_kernel(self):
        """Places by counters that the kernel itself takes further: what they hold at launch leads to
        a race, or to none. Values that the launch itself writes, and tickets, lead there whatever
        the memory held."""
        program = """
            @ct.kernel
            def count(counter):
                ct.scatter(counter, ct.bid(0), ct.bid(0) * 8)

            @ct.kernel
            def again(counter, out):
                b = ct.bid(0)
                for i in range(8):
                    at = ct.gather(counter, b)
                    ct.scatter(out, at, b)
                    ct.scatter(counter, b, at + 1)

            @ct.kernel
            def carried(counter, out):
                b = ct.bid(0)
                at = ct.gather(counter, b).item()
                for i in range(8):
                    ct.scatter(out, at, b)
                    at = at * 2 - at + 1
                ct.scatter(counter, b, at)

            @ct.kernel
            def branch(counter, out):
                b = ct.bid(0)
                at = b
                if b > 0:
                    at = ct.gather(counter, b).item() * 2
                ct.scatter(out, at, b)
                ct.scatter(counter, b, 0)

            @ct.kernel
            def lookup(counter, out):
                b = ct.bid(0)
                row = ct.gather(counter, b)
                ct.scatter(out, ct.gather(counter, row // 8), b)
                ct.scatter(counter, b, row)

            @ct.kernel
            def own(counter, out):
                b = ct.bid(0)
                ct.scatter(counter, b, b % 2)
                ct.scatter(out, ct.gather(counter, b), b)

            @ct.kernel
            def tickets(counter, out):
                ct.scatter(out, ct.atomic_add(counter, 0, 1) % 2, ct.bid(0))

            counter, out = np.zeros(4, np.int32), np.zeros(256, np.int32)
            if "front" in sys.argv or "behind" in sys.argv: # columns of one array
                pool, at = np.zeros((256, 2), np.int32), int("behind" in sys.argv)
                counter, out = pool[:4, at], pool[:, 1 - at]
            if "first" in sys.argv:
                ct.launch(None, (4,), count, (counter,))
            elif "right" in sys.argv:
                counter[:] = np.arange(4) * 8
            ct.launch(None, (4,), globals()[sys.argv[1]], (counter, out))
        """
        for kernel in ("again", "carried", "branch", "lookup"):
            with self.subTest(kernel):
                self.expect(self.run_python(program, kernel, "first"), 0, "1 held, 1 not checked",
                            "the contents of 'counter', which were not looked at")
                self.expect(self.run_python(program, kernel, "right"), 0, "1 held")
                self.expect(self.run_python(program, kernel), 1, "1 raced", "elements of 'out'")
        for kernel in ("own", "tickets"):
            with self.subTest(kernel):
                self.expect(self.run_python(program, kernel, "first"), 1, "1 raced")
        for where in ("front", "behind"):
            for kernel in ("again", "lookup"):
                with self.subTest(kernel, where=where):
                    self.expect(self.run_python(program, kernel, "first", where), 0,
                                "1 held, 1 not checked",
                                "the contents of 'counter', which were not looked at")
                    self.expect(self.run_python(program, kernel, "right", where), 0, "1 held")
                    self.expect(self.run_python(program, kernel, where), 1, "1 raced")
            with self.subTest("own", where=where):
                self.expect(self.run_python(program, "own", "first", where), 1, "1 raced")

    def test_races_by_tables_beside_what_is_written(self):
        """Table and counters in one allocation: what is known of it may be the counters alone. The
        table's elements lead to a race all the same, so where they are not known none is told."""
        program = """
            START, NEAR, FAR = 0x100000, 0x100000 + 2048, 0x100000 + 158656
            def at(address, is_readable, start=START):
                return pointer(address, 1 << 18, is_readable, start)
            def launch(kernel, *arguments, **contents):
                c.launch(m, kernel, (20, 1, 1), *arguments, contents={
                    int(i[1:]): struct.pack(f"<{len(v)}i", *v) for i, v in contents.items()})
            IDS, ROWS = [7 * i % 20 for i in range(512)], [0] * 420
            NUMBERS = scalar("i", 512), scalar("i", 26)
        """
        unknown = "1 not checked", "the contents of 'arg0', which were not looked at"
        for where, said in (
                # one allocation, of which the counters are known
                ("at(START, False), at(FAR, True), *NUMBERS, _1=ROWS", unknown),
                ("at(FAR, False), at(START, True), *NUMBERS, _1=ROWS", unknown),
                # ... or nothing
                ("at(START, False), at(FAR, False), *NUMBERS", unknown),
                ("at(FAR, False), at(START, False), *NUMBERS", ("0 racy",)),
                # ... or the table
                ("at(FAR, True), at(START, False), *NUMBERS, _0=IDS", ("1 held",)),
                # ... which leads to a race
                ("at(FAR, True), at(START, False), *NUMBERS, _0=[i % 30 for i in range(512)]",
                 ("1 raced", "elements of 'arg1'")),
                # two allocations, and ends that are not known
                ("at(START, False), at(1 << 30, True, 1 << 30), *NUMBERS, _1=ROWS",
                 ("1 not checked",)),
                ("pointer(START), pointer(FAR), *NUMBERS", ("1 not checked",)),
                ("pointer(FAR), pointer(START), *NUMBERS", ("1 not checked",))):
            with self.subTest(where):
                run = self.run_client(textwrap.dedent(program) + f"launch('count', {where})",
                                      module="count")
                self.expect(run, 1 if said[0] == "1 raced" else 0, *said)
        for where in ("at(START, False), at(NEAR, True), _1=ROWS",
                      "at(NEAR, False), at(START, True), _1=ROWS",
                      "at(START, False), at(NEAR, False)", "at(NEAR, False), at(START, False)",
                      "at(START, False), at(1 << 30, True, 1 << 30), _1=ROWS",
                      "pointer(START), pointer(NEAR)", "pointer(NEAR), pointer(START)"):
            with self.subTest(where, kernel="share"):
                run = self.run_client(textwrap.dedent(program) + f"launch('share', {where})",
                                      module="share")
                self.expect(run, 1, "1 raced", "elements of 'arg1' [TR001]")

    def test_errors_by_contents(self):
        """No precondition excludes what the inner loop does, so the table's elements decide whether a
        launch is wrong. Where they cannot be read, an error that depends on them is not reported;
        any other error is."""
        program = """
            @ct.kernel
            def starts(table):
                ct.store(table, ct.bid(0), ct.arange(16, dtype=ct.int32) * 2)

            @ct.kernel
            def rows(table, out, beyond: ct.Constant[int]):
                b = ct.bid(0)
                length = ct.gather(table, b + 1).item() - ct.gather(table, b).item()
                for i in range(length):
                    for j in range((length + 3) // 4):
                        ct.scatter(out, i * 4 + j, b, check_bounds=False)
                if beyond:
                    ct.scatter(out, 64 + b, b, check_bounds=False)

            @ct.kernel
            def parts(table, out, beyond: ct.Constant[int]):
                b = ct.bid(0)
                length = ct.gather(table, b + 1).item() - ct.gather(table, b).item()
                for i in range(length):
                    for j in range((length + 3) // 4):
                        ct.scatter(out, b, 8 // (i * j - 9))

            table, out = np.zeros(16, np.int32), np.zeros(64, np.int32)
            if "first" in sys.argv:
                ct.launch(None, (1,), starts, (table,))
            else:
                table[:] = np.arange(16) * (100 if "far" in sys.argv else 2)
            kernel = parts if "parts" in sys.argv else rows
            ct.launch(None, (1,), kernel, (table, out, int("beyond" in sys.argv)))
        """
        for words, code, said in (
                (("right",), 0, "1 held"), (("far",), 1, "[TR008]"), (("beyond",), 1, "[TR008]"),
                (("first",), 0, "program.py:15:13: note: the contents of 'table', which were not "
                                "looked at, tell whether this store leaves 'out'"),
                (("first",), 0, "1 held, 1 not checked"), (("first", "beyond"), 1, "1 broke"),
                (("parts",), 0, "1 held"), (("parts", "far"), 1, "1 broke"),
                (("parts", "first"), 0, "1 held, 1 not checked")):
            with self.subTest(words):
                self.expect(self.run_python(program, *words), code, said)

    def test_bounds_of_arrays(self):
        """An array ends where its shape and strides say, which a proof for all launches knows: the
        launch is held against it, or decided by the contents that lead out of the array. Where the
        kernel itself checks bounds, no table is asked for."""
        program = """
            @ct.kernel
            def at_sum(table, x, out, T: ct.Constant[int]):
                s = ct.sum(ct.load(table, (0,), (T,)))
                ct.scatter(out, ct.bid(0), ct.gather(x, s, check_bounds=False))

            @ct.kernel
            def behind_sum(table, x, out, T: ct.Constant[int]):
                s = ct.sum(ct.load(table, (0,), (T,)))
                ct.scatter(out, s + ct.bid(0), 1.0, check_bounds=False)

            @ct.kernel
            def at_first(table, x, out, T: ct.Constant[int]):
                first = ct.gather(table, 0)
                ct.scatter(out, ct.bid(0), ct.gather(x, first + ct.bid(0), check_bounds=False))

            @ct.kernel
            def at_block(table, x, out, T: ct.Constant[int]):
                ct.scatter(out, ct.bid(0), ct.gather(x, ct.bid(0) * T, check_bounds=False))

            @ct.kernel
            def checked(table, x, out, T: ct.Constant[int]):
                s = ct.sum(ct.load(table, (0,), (T,)))
                ct.scatter(out, ct.bid(0), ct.gather(x, s))

            table = np.full(16, 100 if "far" in sys.argv else 3, np.int32)
            x, out = np.zeros(64, np.float32), np.zeros(64, np.float32)
            if "strided" in sys.argv:
                x = np.zeros((64, 4), np.float32)[:, 1]
            ct.launch(None, (5 if "wide" in sys.argv else 4,), globals()[sys.argv[1]],
                      (table, x, out, 16))
        """
        for words, code, said in (
                (("at_sum",), 0, "1 held"), (("at_sum", "far"), 1, "[TR008]"),
                (("at_sum", "strided"), 0, "1 held"), (("at_sum", "strided", "far"), 1, "[TR008]"),
                (("behind_sum",), 0, "1 held"), (("behind_sum", "far"), 1, "[TR008]"),
                (("at_first",), 0, "1 held"), (("at_first", "far"), 1, "[TR008]"),
                (("at_block",), 0, "1 held"), (("at_block", "wide"), 1, "1 broke"),
                (("checked", "far"), 0, "1 held"), (("checked", "far"), 0, "1 proved")):
            with self.subTest(words):
                self.expect(self.run_python(program, *words), code, said)

    def test_equal_launches_of_a_list(self):
        """A list of arrays is a new table at each launch. The answer depends on what the table
        holds, and launches with equal tables are judged once."""
        program = """
            import time

            @ct.kernel
            def numbered(arrays, T: ct.Constant[int], STEP: ct.Constant[int]):
                at, end = ct.bid(0), 0
                for g in range(len(arrays)):
                    a = arrays[g]
                    n = ct.cdiv(a.shape[0], T)
                    while at >= end and at < end + n:
                        ct.store(a, at - end, ct.load(a, at - end, T) * float(2))
                        at += STEP
                    end = end + n

            pool, took = np.zeros((3, 64), np.float32), []
            for i in range(200):
                arrays = [pool[0], pool[1], pool[0] if i == 198 and "twice" in sys.argv else pool[2]]
                begun = time.monotonic()
                ct.launch(None, (3, 1, 1), numbered, (arrays, 16, 3))
                took.append(time.monotonic() - begun)
            print("once" if sum(took[1:198]) < 5 * took[0] else took)
        """
        run = self.expect(self.run_python(program), 0, " held\n")
        self.assertEqual(run.stdout, "once\n")
        run = self.expect(self.run_python(program, "twice"), 1, " held, 1 raced\n")
        self.assertEqual(run.stdout, "once\n")

    def test_a_timer_of_the_program(self):
        """What a signal handler of the program raises is its own, also where the signal comes while
        a launch is looked at."""
        program = """
            import signal

            @ct.kernel
            def clear(x):
                ct.store(x, ct.bid(0), ct.zeros((64,), ct.float32))

            def late(*_):
                raise TimeoutError("the program's own limit")

            class Late(np.ndarray):
                @property
                def dtype(self):
                    signal.raise_signal(signal.SIGALRM)
                    return super().dtype

            signal.signal(signal.SIGALRM, late)
            ct.launch(None, (4,), clear, (np.zeros(256, np.float32),))
            try:
                ct.launch(None, (4,), clear, (np.zeros(256, np.float32).view(Late),))
            except TimeoutError as error:
                print(error)
        """
        run = self.expect(self.run_python(program), 0, "exit code 0 is the program's own")
        self.assertEqual(run.stdout, "the program's own limit\n", run.stderr)
        self.assertNotIn("was not seen", run.stderr)

    def test_floats_of_a_launch(self):
        """A launch that is checked by itself is what its contract states, floats too: views whose
        ranges overlap, and a kernel that is wrong at most launches of others."""
        program = """
            @ct.kernel
            def scaled(a, b, by: float, T: ct.Constant[int]):
                i = ct.bid(0)
                ct.store(b, i, ct.load(a, i, T) * by)
            whole = np.zeros(512, np.float32)
            ct.launch(None, (4,), scaled, (whole, whole[256 - shift:], 0.125, 64))
        """
        self.expect(self.run_python("shift = 0\n" + textwrap.dedent(program)), 0, "1 held")
        self.expect(self.run_python("shift = 64\n" + textwrap.dedent(program)), 1, "1 raced")

    def test_one_array_twice(self):
        """Who passes one array for two arguments is told so; in place through one is no race."""
        program = """
            @ct.kernel
            def moved(source, target, T: ct.Constant[int]):
                row = ct.bid(0)
                for i in range(4):
                    at = ct.arange(T, dtype=ct.int32) + i * T
                    value = ct.gather(source, (row, at))
                    ct.scatter(target, (row, at), ct.exp(value - ct.max(value, 0)))

            @ct.kernel
            def shifted(source, target, T: ct.Constant[int]):
                ct.store(target, ct.bid(0), ct.load(source, ct.bid(0), T) + 1)

            @ct.kernel
            def in_place(both, T: ct.Constant[int]):
                ct.store(both, ct.bid(0), ct.load(both, ct.bid(0), T) + 1)

            rows, line = np.zeros((8, 64), np.float32), np.zeros(96, np.float32)
            match sys.argv[1]:
                case "apart": ct.launch(None, (8,), moved, (rows, rows.copy(), 16))
                case "rows": ct.launch(None, (8,), moved, (rows, rows, 16))
                case "line": ct.launch(None, (6,), shifted, (line, line, 16))
                case "next": ct.launch(None, (4,), shifted, (line, line[16:], 16))
                case "one": ct.launch(None, (6,), in_place, (line, 16))
        """
        told = "note: 'source' and 'target' overlap in this launch"
        advice = "takes the array as one argument"
        for words in "rows", "line":
            run = self.run_python(program, words)
            self.expect(run, 1, "1 raced", "[TR003]", told + ": no token orders", advice)
        run = self.run_python(program, "next")
        self.expect(run, 1, "1 raced", told + "\n")
        self.assertNotIn(advice, run.stderr)
        for words in "apart", "one":
            run = self.run_python(program, words)
            self.expect(run, 0, "1 held")
            self.assertNotIn("overlap", run.stderr)

    def test_columns_of_one_array(self):
        """Two outputs are columns of one array, so that their ranges overlap; where a table says
        where to read, its elements are looked at for what the launch's own proof needs."""
        program = """
            @ct.kernel
            def halves(positions, cache, left, right, T: ct.Constant[int], N: ct.Constant[int]):
                row = ct.bid(0) * T + ct.arange(T, dtype=ct.int32)
                lane = ct.arange(N, dtype=ct.int32)
                at = ct.load(positions, ct.bid(0), T, padding_mode=ct.PaddingMode.ZERO)[:, None]
                found = ct.gather(cache, (at, lane[None, :]), check_bounds=False)
                ct.scatter(left, (row[:, None], lane[None, :]), found)
                ct.scatter(right, (row[:, None], lane[None, :]), found * 2)
            out = np.zeros((64, 48), np.float32)
            positions = np.arange(64, dtype=np.int32) * 3
            cache = np.ones((192 - 64 * ("short" in sys.argv), 16), np.float32)
            first = 8 if "racy" in sys.argv else 16
            if "written" in sys.argv:
                ct.launch(None, (4,), number, (positions, 16))
            ct.launch(None, (4,), halves, (positions, cache, out[:, :16], out[:, first:first + 16],
                                           16, 16))
        """
        kernel = """
            @ct.kernel
            def number(index, T: ct.Constant[int]):
                ct.store(index, ct.bid(0), ct.arange(T, dtype=ct.int32) + ct.bid(0) * T)
        """
        program = textwrap.dedent(kernel) + textwrap.dedent(program)
        self.expect(self.run_python(program), 0, "1 held")
        self.expect(self.run_python(program, "racy"), 1, "1 raced")
        self.expect(self.run_python(program, "short"), 1, "1 broke", "cache")
        self.expect(self.run_python(program, "written"), 0, "1 held, 1 not checked")
        self.expect(self.run_python(program, "written", "racy"), 1, "1 held, 1 raced")

    def test_one_tile_on_an_axis(self):
        """Constants leave a view one tile along axes that ids index: launched as it is meant to be,
        nothing is wrong, and launched with one tile block more it is."""
        program = """
            @ct.kernel
            def heads(q, out, n: int):
                b, h = ct.bid(1) // n, ct.bid(1) % n
                ct.store(out, (b, h, ct.bid(0), 0),
                         ct.load(q, (b, h, ct.bid(0), 0), (1, 1, 16, 16)))
            q = np.zeros((1, 8, 1, 16), np.float32)
            ct.launch(None, (1, 8 + ("more" in sys.argv)), heads, (q, np.zeros_like(q), 8))
        """
        run = self.expect(self.run_python(program), 0, "1 held")
        self.assertNotIn("error:", run.stderr)
        self.expect(self.run_python(program, "more"), 1, "1 broke", "[TR007]",
                    "launched here with grid (1, 9, 1)")

    def test_hints_make_no_other_kernel(self):
        """The same kernel with other optimisation hints, as tuners compile it."""
        run = self.run_python("""
            def scale(x):
                ct.store(x, index=(ct.bid(0),), tile=ct.load(x, index=(ct.bid(0),), shape=(64,)) * 2)

            for occupancy in (1, 2, 4, 8):
                kernel = ct.kernel(scale, occupancy=occupancy)
                ct.launch(None, (4, 1, 1), kernel, (np.zeros(256, np.float32),))
        """)
        self.expect(run, 0, "1 kernel seen in 1 module", " held")

    def test_many_specialisations(self):
        """More than there may be processes; each is launched again after all were seen."""
        run = self.run_client("""
            code, all = open("tiny.tilebc", "rb").read(), []
            for i in range(70):
                all.append(c.module(code, front_end=str(i), names='{"parameters": [], "line": %d}' % i))
            for n, e in all:
                c.launch(n, "fine", (4, 1, 1), pointer(0x1000, 4096), scalar("i", 256),
                         scalar("f", 2.0))
        """, module="tiny")
        self.expect(run, 0, "71 kernels seen in 71 modules", "70 held")

    # ---- Going on while launches are judged ----

    def test_launches_that_wait_for_no_answer(self):
        """The program ends long before its kernels are checked; nothing is lost."""
        run = self.run_client("""
            for line in range(20):
                c.passed(m, "half", (1 + line % 2, 1, 1), pointer(0x1000, 4096),
                         scalar("i", 256 + line), line=line + 1)
            c.passed(m + 9, "other", (1, 1, 1))
            os._exit(0)
        """, module="k")
        self.expect(run, 1, "different launches: 10 held, 10 raced", "user.py:2: note",
                    "'other' was launched 1 time and never seen")

    def test_many_modules_at_once(self):
        """More than there may be processes, none of which the program waits for."""
        run = self.run_client("""
            code = open("tiny.tilebc", "rb").read()
            for i in range(70):
                n, _ = c.module(code, names='{"parameters": [], "line": %d}' % i)
                for k in range(2):
                    c.passed(n, "fine", (4 + k, 1, 1), pointer(0x1000, 4096), scalar("i", 320),
                             scalar("f", 2.0))
        """, module="tiny")
        self.expect(run, 0, "71 kernels seen in 71 modules", "140 held\n")

    def test_contents_after_launches_that_are_not_judged_yet(self):
        """What an earlier launch would have written is not taken for contents, although that launch
        is still to be judged; what nobody wrote is."""
        for address, code, said in ((0x800000, 0, "1 held, 1 not checked"),
                                    (0x300000, 1, "1 held, 1 raced")):
            run = self.run_client(f"""
                time.sleep(1) # so that only the other module is still to be checked
                n, _ = c.module(open("fair.tilebc", "rb").read())
                c.passed(n, "fine", (4, 1, 1), pointer({address}, 4096), scalar("i", 256),
                         scalar("f", 2.0))
                rows = struct.pack("<8i", 0, 1, 2, 3, 4, 5, 5, 7)
                c.launch(m, "scatter", (8, 1, 1), pointer(0x800000, 32), pointer(0x900000, 65536),
                         scalar("i", 256), contents={{0: rows}}, line=4)
            """, module="one")
            self.expect(run, code, said)

    def test_a_program_that_goes_while_its_launch_is_judged(self):
        """Its launch is judged all the same, and another program's is not answered by that."""
        run = self.run_client("""
            launch_and_end("k.tilebc", "half", (4, 1, 1), (pointer(0x1000, 4096), scalar("i", 256)))
            for line in range(20):
                c.launch(m, "half", (1, 1, 1), pointer(0x1000, 4096), scalar("i", 256 + line))
        """, module="k")
        self.expect(run, 1, "20 held, 1 raced", "user.py:5: note")

    def test_a_program_that_goes_before_its_launch_is_judged(self):
        """While others are judged, or asked for contents: it is judged, and no other is lost."""
        run = self.run_client("""
            for i in range(20):
                c.passed(m, "half", (1, 1, 1), pointer(0x1000, 4096), scalar("i", 256 + i))
            launch_and_end("k.tilebc", "half", (4, 1, 1), (pointer(0x1000, 4096), scalar("i", 256)))
        """, module="k")
        self.expect(run, 1, "20 held, 1 raced", "user.py:5: note")
        run = self.run_client("""
            launch_and_end("k.tilebc", "scatter", (8, 1, 1),
                           (pointer(0x1000, 32), pointer(0x8000, 65536), scalar("i", 256)),
                           is_asked=True)
            c.launch(m, "half", (4, 1, 1), pointer(0x1000, 4096), scalar("i", 256))
        """, module="k")
        self.expect(run, 1, "1 not checked, 1 raced", "user.py:5: note: the contents")

    # ---- Recordings ----

    def record(self, lines):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        run = self.run_client(lines, options=("--recording", kept.name + "/r"))
        return run, pathlib.Path(kept.name) / "r"

    def check(self, folder, *options):
        return subprocess.run([TILERACE, "check", *options, str(folder)], capture_output=True,
                              text=True, check=False)

    LAUNCHES = """
        c.launch(m, "fine", (4, 1, 1), pointer(0x1000, 4096), scalar("i", 256), scalar("f", 2.0))
        c.launch(m, "copy", (4, 1, 1), pointer(0x1000, 4096), pointer(0x9000, 4096), scalar("i", 256))
        kernel_scatter(80, [i if i != 70 else 69 for i in range(100)])
        kernel_scatter(60, [i if i != 70 else 69 for i in range(100)])
    """

    def test_a_recording_is_checked_again(self):
        run, folder = self.record(self.LAUNCHES)
        self.assertEqual(len(list(folder.glob("modules/*.tilebc"))), 1)
        self.assertEqual(len(list(folder.glob("launches/*.json"))), 4)
        self.assertEqual(len(list(folder.glob("launches/*.bin"))), 1)  # the same elements
        self.assertFalse(list(folder.rglob("*.part")))
        run = self.check(folder)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        for words in ("'fine' cannot race", "'copy' cannot race", "'scatter' cannot race",
                      "'scatter' races", "4 kernels: 3 proved race-free",
                      "launched at: user.py:1, by "):
            self.assertIn(words, run.stdout)
        report, sarif = (json.loads(self.check(folder, "--format", name).stdout)
                         for name in ("json", "sarif"))
        docs = pathlib.Path(__file__).parents[2] / "docs"
        self.assertEqual(list(errors_of(load(docs / "report.schema.json"), report)), [])
        self.assertEqual(list(errors_of(load(docs / "sarif.subset.schema.json"), sarif)), [])
        kernels = [kernel for each in report["inputs"] for kernel in each["kernels"]]
        self.assertEqual([(k["launch"]["file"], k["launch"]["line"]) for k in kernels],
                         [("user.py", 1)] * 4)
        races = [each for each in sarif["runs"][0]["results"] if each["level"] == "error"]
        self.assertEqual([race["relatedLocations"][-1]["message"]["text"] for race in races],
                         ["launched here"])
        again = self.run_client(self.LAUNCHES, options=("--recording", str(folder)))
        self.assertEqual(len(list(folder.rglob("*"))), 11, again.stderr)

    def test_recordings_hold_no_more_than_is_needed(self):
        _, folder = self.record("""
            c.launch(m, "copy", (4, 1, 1), pointer(0x1000, 4096), pointer(0x9000, 4096),
                     scalar("i", 9), contents={0: b"secret" * 700})
        """)
        for file in folder.rglob("*"):
            self.assertFalse(file.is_file() and b"secret" in file.read_bytes())

    def test_recordings_that_are_wrong(self):
        _, folder = self.record(self.LAUNCHES)
        launches = sorted(folder.glob("launches/*.json"))
        launches[0].write_text(launches[0].read_text()[:50])
        run = self.check(folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("is cut or was edited", run.stderr)
        self.assertRegex(run.stdout, "[34] kernels: ")  # the other launches are there
        launches[0].unlink()
        self.assertIn(self.check(folder).returncode, (0, 1))  # a launch less is a recording, too
        contents = next(folder.glob("launches/*.bin"))
        elements = contents.read_bytes()
        contents.write_bytes(elements[:-4])
        self.assertEqual(self.check(folder).returncode, 2)
        contents.write_bytes(elements)
        module = next(folder.glob("modules/*.tilebc"))
        code = module.read_bytes()
        module.write_bytes(code + b"\0")
        self.assertEqual(self.check(folder).returncode, 2)
        module.unlink()
        run = self.check(folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("is of a module that is not there", run.stderr)
        (folder / "index.json").write_text('{"format": "tilerace recording", "version": 9}')
        run = self.check(folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("is of version 9", run.stderr)
        (folder / "index.json").write_text("[1, 2")
        self.assertEqual(self.check(folder).returncode, 2)

    def test_a_recording_that_cannot_be_written(self):
        run, folder = self.record("")
        for path in (folder / "launches").glob("*"):
            path.unlink()
        (folder / "launches").rmdir()
        (folder / "launches").write_text("in the way")
        run = self.run_client(self.LAUNCHES, options=("--recording", str(folder)))
        self.expect(run, 1, "the recording lacks", "cannot be written", "3 held, 1 raced")
        for file in ("/proc/none", str(self.folder), str(self.folder / "k.c")):
            run = self.run_client(self.LAUNCHES, options=("--recording", file))
            self.expect(run, 1, "the recording lacks", "3 held, 1 raced")

    def test_clean(self):
        _, folder = self.record(self.LAUNCHES)
        clean = lambda *words, cwd=None: subprocess.run([TILERACE, "clean", *words], cwd=cwd,
                                                        capture_output=True, text=True, check=False)
        self.assertIn("clean --recordings", clean(str(folder)).stdout)
        self.assertTrue((folder / "index.json").exists())
        outside = folder.parent / "mine.json"
        outside.write_text("mine")
        (folder / "launches" / "link.json").symlink_to(outside)
        self.assertEqual(clean("--recordings", str(folder)).returncode, 0)
        self.assertFalse(folder.exists())
        self.assertTrue(outside.exists())
        _, folder = self.record(self.LAUNCHES)
        (folder / "modules" / "notes.txt").write_text("mine")
        run = clean("--recordings", str(folder))
        self.assertEqual(run.returncode, 2)
        self.assertIn("holds files that are of no recording", run.stderr)
        self.assertTrue((folder / "modules" / "notes.txt").exists())
        self.assertEqual(clean("--recordings", str(self.folder)).returncode, 2)
        self.assertTrue((self.folder / "k.c").exists())
        self.assertEqual(clean("--recordings", cwd=self.folder).returncode, 0)

    def test_what_launches_share(self):
        """Merged into a contract, in which nothing is used before a person has confirmed it."""
        _, folder = self.record("""
            for n in (64, 128, 320, 4096):
                c.launch(m, "copy", (n // 64, 1, 1), pointer(0x1000, 1 << 14),
                         pointer(0x90000, 1 << 14), scalar("i", n))
            c.launch(m, "fine", (4, 1, 1), pointer(0x1000, 4096), scalar("i", 250),
                     scalar("f", 2.0))
            c.launch(m, "fine", (5, 1, 1), pointer(0x1000, 4096), scalar("i", 310),
                     scalar("f", 3.0))
        """)
        run = subprocess.run([TILERACE, "contract", str(folder)], capture_output=True, text=True,
                             check=True)
        launches = {k["kernel"]: k for k in json.loads(run.stdout)["launches"]}
        self.assertEqual(launches["copy"]["observed"], [
            "arg2 >= 64", "arg2 <= 4096", "arg2 % 64 == 0", "grid.x == cdiv(arg2, 64)",
            "grid.y == 1", "grid.z == 1"])
        self.assertEqual(launches["fine"]["observed"][:4], [
            "arg1 >= 250", "arg1 <= 310", "arg1 % 10 == 0", "grid.x == cdiv(arg1, 64)"])
        self.assertFalse([k for k in launches.values() if "assume" in k or "args" in k])
        file = folder.parent / "merged.json"
        file.write_text(run.stdout)
        command = [TILERACE, "check", "--launch", str(file), "fair.tilebc"]
        unused = subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                                check=False).stdout
        self.assertIn("observed (not used in a proof): grid.x == cdiv(arg2, 64)", unused)
        self.assertIn("requires: grid.x <= (arg2 + 63) / 64", unused)
        file.write_text(run.stdout.replace("observed", "assume"))
        used = subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                              check=False).stdout
        self.assertNotIn("requires: grid.x <= (arg2 + 63) / 64", used)
        self.assertNotIn("observed", used)
        empty = self.record("")[1]
        run = subprocess.run([TILERACE, "contract", str(empty)], capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("nothing to merge", run.stderr)

    def test_two_writers(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        command = [TILERACE, "exec", "--dry-run", "--recording", kept.name + "/r", "--",
                   sys.executable, "-c",
                   f"import sys, struct; sys.path.insert(0, {TOOLS!r})\n"
                   "from capture_client import *\n"
                   "c = Client(); m, _ = c.module(open('fair.tilebc', 'rb').read())\n"
                   "for n in range(60): c.launch(m, 'fine', (4, 1, 1), pointer(0x1000, 4096), "
                   "scalar('i', 256 + n), scalar('f', 2.0))"]
        runs = [subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) for _ in range(3)]
        for run in runs:
            _, said = run.communicate(timeout=120)
            self.assertNotIn("lacks", said)
        folder = pathlib.Path(kept.name) / "r"
        self.assertEqual(len(list(folder.glob("launches/*.json"))), 60)
        self.assertIn("'fine' cannot race", self.check(folder).stdout)

    def test_a_stale_recording(self):
        (self.folder / "one.py").write_text("first\n")
        names = self.names(file=str(self.folder / "one.py"))
        _, folder = self.record(f"c.module(open('fair.tilebc', 'rb').read(), names={names!r})")
        self.assertNotIn("has changed", self.check(folder).stderr)
        (self.folder / "one.py").write_text("second\n")
        self.assertIn("one.py has changed since", self.check(folder).stderr)


if __name__ == "__main__":
    unittest.main()

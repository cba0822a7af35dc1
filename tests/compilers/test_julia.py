"""What is said of cuTile.jl's modules, and folders that are checked as they fill.

    test_julia.py BUILD

No Julia is at hand: modules are written by julia/as_julia.c, in the layout that cuTile.jl's sources
state, and stand for what JULIA_CUTILE_DUMP_BYTECODE=FOLDER writes.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = str(BUILD / "tilerace")
HERE = pathlib.Path(__file__).resolve().parent / "julia"
SOURCE = HERE / "columns.jl"
PATIENCE = 60


def line_of(text):
    return 1 + SOURCE.read_text().split("\n").index(text)


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.made = pathlib.Path(cls.kept.name)
        subprocess.run([TILERACE, "compile", str(HERE / "columns.c"), "-o", "columns.tilebc"],
                       cwd=cls.made, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilerace-julia-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def module(self, minor=4, source=SOURCE):
        subprocess.run([BUILD / "tests/as_julia", self.made / "columns.tilebc",
                        self.folder / "made.tmp", str(source), str(minor)], check=True)
        made = (self.folder / "made.tmp").read_bytes()
        (self.folder / "made.tmp").unlink()
        return made

    def write(self, name, **how):
        (self.folder / name).parent.mkdir(exist_ok=True, parents=True)
        (self.folder / name).write_bytes(self.module(**how))

    def run_in(self, *words, code=0, **env):
        run = subprocess.run([TILERACE, *words], cwd=self.folder, capture_output=True, text=True,
                             check=False, env={**os.environ, **env}, timeout=PATIENCE)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run


class Words(Folder):
    """Lines of the source, its names, and numbers from 1."""

    def test_all_versions(self):
        store = line_of("    ct.store(c, (1, 1), t)")
        for minor in (1, 2, 3, 4):
            self.write("columns.ln5.cutile", minor=minor)
            said = self.run_in("check", "columns.ln5.cutile", code=1).stdout
            for words in (
                    f"{SOURCE}:{store}: error: different tile blocks write the same elements of "
                    "'c': the index does not depend on ct.bid(2) [TR001]\n"
                    f"{store:5} |     ct.store(c, (1, 1), t)\n",
                    f"{SOURCE}:{store}: note: second access: store by tile block (1, 2, 1)",
                    "a of size (", "; counted from 1, as ct.bid does:\n",
                    "tile block (1, 1, 1) stores c[1, 1] (element 1) by index (index 1 = 1, "
                    "index 2 = 1)\n",
                    "tile block (1, 2, 1) stores c[1, 1] (element 1)",
                    "requires: grid.y <= (a.size[2] + 15) / 16\n",
                    "'straight' cannot race", "requires (standing): c.size[1] <= c.stride[2]"):
                self.assertIn(words, said)
            self.assertNotIn("operations.jl", said)
            self.assertNotIn("arg", said)

    def test_a_name_that_is_no_symbol(self):
        module = self.module().replace(b"straight", b"str_x21_").replace(b"swapped", b"sw_xzz_")
        (self.folder / "columns.ln5.cutile").write_bytes(module)
        said = self.run_in("check", "columns.ln5.cutile", code=1).stdout
        self.assertIn("'str!' cannot race", said)
        self.assertIn("'sw_xzz_' races", said)

    def test_formats(self):
        """A column that is not known is none."""
        self.write("columns.ln5.cutile")
        said = self.run_in("check", "--format", "json", "columns.ln5.cutile", code=1).stdout
        location = json.loads(said)["inputs"][0]["kernels"][0]["findings"][0]["locations"][0]
        self.assertEqual((location["line"], location["column"]), (8, None))
        said = self.run_in("check", "--format", "github", "columns.ln5.cutile", code=1).stdout
        self.assertIn("columns.jl,line=8,endLine=8,title", said)
        said = self.run_in("check", "--format", "sarif", "columns.ln5.cutile", code=1).stdout
        self.assertNotIn('"startColumn": 0', said)

    def test_line_by_the_name(self):
        """Of a module without places: the line at which its kernel begins, and the op."""
        for name in ("columns.ln5.cutile", "columns.ln5.2.cutile"):
            self.write(name, source="-")
            said = self.run_in("check", name, code=1).stdout
            self.assertIn("columns.jl:5: error: different tile blocks write the same elements of "
                          "'array2'", said)
            self.assertIn("      at op 16 of 'swapped': %7 = store_view_tko", said)
        for name in ("columns.cutile", "columns.lnx.cutile", "columns.ln0.cutile",
                     "columns.ln5.tilebc"):
            self.write(name, source="-")
            self.assertIn(f"{name}: error: ", self.run_in("check", name, code=1).stdout)

    def test_names_that_are_in_doubt(self):
        """Without the source, or where it does not say which parameters are left, there are none."""
        for text in ("", "function swapped(a, b, c)\n", "function swapped(a, c...)\n",
                     "function swapped(a, # the input\n c)\n", "swapped = other\n",
                     "function swapped(a, c"):
            other = self.folder / "columns.jl"
            other.write_text("\n" * 4 + text)
            self.write("columns.ln5.cutile", source=other)
            self.assertIn("'array2'", self.run_in("check", "columns.ln5.cutile", code=1).stdout)
        other.unlink()
        os.mkfifo(other)
        self.assertIn("'array2'", self.run_in("check", "columns.ln5.cutile", code=1).stdout)
        for text in ("swapped(x,y)=1\n", "not_swapped(a, b) = swapped; function swapped(x, y)\n",
                      "@inline function swapped(x::A{B,2},\n"
                     "                          y::A{B,2}, n::Int = 3; k=1) where {B}\n"):
            other.unlink()
            other.write_text("\n" * 4 + text)
            self.assertIn("elements of 'y'", self.run_in("check", "columns.ln5.cutile",
                                                         code=1).stdout)


class Scan(Folder):
    """Folders, once."""

    def test_a_folder(self):
        self.write("dump/columns.ln5.cutile")
        self.write("dump/deeper/HASH/swapped.bytecode", minor=1)
        (self.folder / "dump/notes.json").write_text("{}")
        (self.folder / "dump/empty.cutile").write_text("")
        os.mkfifo(self.folder / "dump/fifo")
        (self.folder / "dump/link").symlink_to("columns.ln5.cutile")
        (self.folder / "dump/around").symlink_to(".")
        (self.folder / "dump/nowhere").symlink_to("gone")
        run = self.run_in("scan", "dump", code=1)
        self.assertEqual(run.stderr, "")
        self.assertIn("6 kernels: 3 proved race-free, 0 conditional, 3 racy", run.stdout)

    def test_what_cannot_be_read_is_named(self):
        self.write("dump/columns.ln5.cutile")
        whole = (self.folder / "dump/columns.ln5.cutile").read_bytes()
        (self.folder / "dump/half.ln9.cutile").write_bytes(whole[:len(whole) // 2])
        run = self.run_in("scan", "dump", code=2)
        self.assertIn("dump/half.ln9.cutile: error: the Tile IR at byte 0 cannot be read", run.stderr)
        self.assertIn("2 kernels", run.stdout)

    def test_nothing_there(self):
        (self.folder / "dump").mkdir()
        self.assertIn("no Tile IR was found", self.run_in("scan", "dump", code=2).stderr)
        self.assertIn("gone: error: ", self.run_in("scan", "gone", code=2).stderr)


class Following(Folder):
    """The same while a program writes."""

    def setUp(self):
        super().setUp()
        self.dump = self.folder / "dump"

    def follow(self, *words, **how):
        self.said, self.complained = [], []
        self.running = subprocess.Popen(
            [TILERACE, "scan", "--follow", *words], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, **how)
        self.readers = [threading.Thread(target=to.extend, args=(stream,), daemon=True)
                        for to, stream in ((self.said, self.running.stdout),
                                           (self.complained, self.running.stderr))]
        for reader in self.readers:
            reader.start()
        self.addCleanup(self.running.stdout.close)
        self.addCleanup(self.running.stderr.close)
        self.addCleanup(self.running.kill)

    def wait_for(self, n, words="' races: "):
        until = time.monotonic() + PATIENCE
        while sum(words in line for line in list(self.said)) < n:
            self.assertLess(time.monotonic(), until, self.said + self.complained)
            time.sleep(0.05)

    def end(self, code, how=signal.SIGINT):
        self.running.send_signal(how)
        self.assertEqual(self.running.wait(PATIENCE), code, self.said + self.complained)
        for reader in self.readers:
            reader.join()
        return "".join(self.said), "".join(self.complained)

    def test_modules_as_they_come(self):
        self.follow("dump")
        time.sleep(0.3)
        self.write("dump/columns.ln5.cutile")  # the folder was not there
        self.wait_for(1)
        self.write("dump/columns.ln5.2.cutile")  # the same once more
        self.write("dump/of_13_1.ln5.cutile", minor=1)
        self.wait_for(2)
        said, complained = self.end(1)
        self.assertEqual(complained, "")
        self.assertEqual(said.count("' races: "), 2)
        self.assertTrue(said.endswith("4 kernels: 2 proved race-free, 0 conditional, 2 racy, 0 "
                                      "unknown; findings: 2 errors, 0 warnings\n"))

    def test_a_file_that_is_written_in_parts(self):
        module = self.module()
        self.dump.mkdir()
        self.follow("dump")
        with open(self.dump / "slow.ln5.cutile", "wb") as out:
            for at in range(0, len(module), len(module) // 5):
                out.write(module[at:at + len(module) // 5])
                out.flush()
                time.sleep(0.3)
                if at + len(module) // 5 < len(module):
                    self.assertEqual(self.said, [])
        self.wait_for(1)
        self.assertEqual(self.end(1, signal.SIGTERM)[1], "")

    def test_a_file_that_is_never_whole(self):
        module = self.module()
        self.dump.mkdir()
        (self.dump / "cut.ln5.cutile").write_bytes(module[:200])
        (self.dump / "begun.ln5.cutile").write_bytes(module[:4])
        (self.dump / "damaged.ln5.cutile").write_bytes(module[:40] + b"\xff" * (len(module) - 40))
        self.follow("dump")
        time.sleep(0.5)
        _, complained = self.end(2)
        for name in ("cut", "begun", "damaged"):
            self.assertIn(f"dump/{name}.ln5.cutile: error: its Tile IR is cut off", complained)

    def test_rewritten_and_removed(self):
        self.write("dump/columns.ln5.cutile", minor=1)
        self.follow("dump")
        self.wait_for(1)
        self.write("dump/columns.ln5.cutile", minor=2)
        self.wait_for(2)
        (self.dump / "columns.ln5.cutile").unlink()
        (self.dump / "half.cutile").write_bytes(self.module()[:100])
        time.sleep(0.5)
        (self.dump / "half.cutile").unlink()
        shutil.rmtree(self.dump)
        time.sleep(0.5)
        self.write("dump/columns.ln5.cutile", minor=3)
        self.wait_for(3)
        self.assertEqual(self.end(1)[1], "")

    def test_many_at_once(self):
        self.dump.mkdir()
        self.follow("dump", "-j", "2")
        places = self.folder / "places"
        places.mkdir()
        for i in range(60):  # of different places, so different
            self.write(f"dump/m{i}.ln5.cutile", source=places / f"m{i}.jl")
        self.wait_for(60)
        said, complained = self.end(1)
        self.assertEqual(complained, "")
        self.assertIn("120 kernels: 60 proved race-free, 0 conditional, 60 racy", said)

    def test_others_in_the_folder(self):
        self.dump.mkdir()
        os.mkfifo(self.dump / "fifo")
        (self.dump / "around").symlink_to(".")
        (self.dump / "notes.txt").write_text("none")
        self.write("elsewhere/columns.ln5.cutile")
        (self.dump / "link").symlink_to("../elsewhere/columns.ln5.cutile")
        self.follow("dump")
        self.wait_for(1)
        self.assertEqual(self.end(1)[1], "")

    def test_nothing_comes(self):
        self.follow("gone")
        time.sleep(0.3)
        self.assertIn("no Tile IR was found", self.end(2)[1])

    def test_words(self):
        for words in (["--format", "json"], ["-o", "report"]):
            run = self.run_in("scan", "--follow", "dump", *words, code=2)
            self.assertIn("--follow writes text", run.stderr)
        self.follow("dump", env={**os.environ, "TILERACE_SOLVER": "/nowhere/z3"})
        self.assertEqual(self.running.wait(PATIENCE), 2)


# A program that does as cuTile.jl: it writes each module into the folder, assembles it, loads the
# machine code and launches it. `code` has, of what an assembler makes, the section that tells it.
PROGRAM = """import ctypes, os, struct, sys, time
folder = os.environ["JULIA_CUTILE_DUMP_BYTECODE"]

def dump(module, name="columns.ln5.cutile"):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as out:
        out.write(module)

def code_of(module):
    names = b"\\0.nv.host\\0swapped\\0straight\\0other".ljust(64, b"\\0")
    names += module.ljust(-(-len(module) // 8) * 8, b"\\0")
    head = b"\\x7fELF\\2\\1\\1".ljust(16, b"\\0") + struct.pack(
        "<HHIQQQIHHHHHH", 0, 0, 0, 0, 0, 64 + len(names), 0, 64, 0, 0, 64, 1, 0)
    return head + names + struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64, 64, 0, 0, 0, 0)

def launch(module, kernel):
    cuda = ctypes.CDLL("libcuda.so.1")
    loaded, function, context = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert cuda.cuInit(0) == 0
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert cuda.cuCtxSetCurrent(context) == 0
    assert cuda.cuModuleLoadData(ctypes.byref(loaded), code_of(module)) == 0
    assert cuda.cuModuleGetFunction(ctypes.byref(function), loaded, kernel.encode()) == 0
    values = (ctypes.c_void_p * 1)()
    assert cuda.cuLaunchKernel(function, 4, 1, 1, 1, 1, 1, 0, None, values, None) == 0

module = open("made.cutile", "rb").read()
"""


class UnderExec(Folder):
    """`tilerace exec` names a folder of its own, and checks what is written there."""

    def execute(self, lines, code, **env):
        (self.folder / "made.cutile").write_bytes(self.module())
        (self.folder / "program.py").write_text(PROGRAM + lines)
        run = self.run_in("exec", "--dry-run", "--no-recording", "--", sys.executable,
                          "program.py", code=code, **env)
        return run.stderr

    def test_modules_are_checked(self):
        said = self.execute("dump(module)", 1)
        for words in ("columns.jl:8: error: different tile blocks write the same elements of 'c'",
                      "2 kernels seen in 1 module, 0 launched, 0 launched but never seen",
                      "1 proved, 0 conditional, 1 racy", "'swapped' was not launched"):
            self.assertIn(words, said)

    def test_the_folder_is_gone_afterwards(self):
        self.execute("dump(module); open('folder', 'w').write(folder)", 1)
        self.assertFalse(pathlib.Path((self.folder / "folder").read_text()).parent.exists())

    def test_modules_of_the_same_bytes_and_many(self):
        said = self.execute("for i in range(40): dump(module, f'columns.ln5.{i + 2}.cutile')", 1)
        self.assertIn("2 kernels seen in 1 module", said)

    def test_a_folder_of_the_user(self):
        """Only what comes during the run is of the program."""
        self.write("dump/old.ln5.cutile", minor=1)
        for lines, n in (("", "nothing was seen"), ("dump(module)", "2 kernels seen in 1 module")):
            said = self.execute(lines, 1 if lines else 0, JULIA_CUTILE_DUMP_BYTECODE="dump")
            self.assertIn(n, said)
        self.assertEqual(sorted(os.listdir(self.folder / "dump")),
                         ["columns.ln5.cutile", "old.ln5.cutile"])

    def test_a_module_that_is_not_whole(self):
        said = self.execute("dump(module[:300])", 2)
        self.assertIn("columns.ln5.cutile is not checked: its Tile IR is cut off", said)
        said = self.execute("dump(module[:300]); time.sleep(1); dump(module)", 1)
        self.assertIn("1 racy", said)

    @unittest.skipIf(b"__asan_init" in (BUILD / "tilerace").read_bytes(),
                     "a Python that is not built with sanitizers cannot load such a driver")
    def test_launches(self):
        """They are known by the kernel's name, so they are not held against its proof."""
        said = self.execute("dump(module); launch(module, 'straight')", 1)
        for words in ("2 kernels seen in 1 module, 1 launched, 0 launched but never seen",
                      "1 racy", "0 held, 1 not checked",
                      "launches of 'straight' are known by its name alone"):
            self.assertIn(words, said)
        said = self.execute("dump(module); launch(module, 'swapped')", 1)
        for words in ("columns.jl:8: error: ", "1 racy",
                      "launches of 'swapped' are known by its name alone"):
            self.assertIn(words, said)
        said = self.execute("dump(module); launch(b'other', 'other')", 1)
        self.assertIn("'other' was launched 1 time and never seen", said)


if __name__ == "__main__":
    unittest.main()

"""A recording of `tilerace exec` as what compilers know of launches.

    test_recorded.py BUILD [NVCC]
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import common
from common import CLEAN, CONDITIONAL, OPEN, RACY, ROOT

NVCC = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else None
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = BUILD / "tilerace"
LAUNCHER = BUILD / "tilerace-nvcc"
HELD, RACES = "3,1,0,2", "3,1,3,2"  # what `place` holds
LEVELS = re.compile(r"^.*?: (warning|error|remark): ", re.M)


class Case(common.Case):
    def compile(self, *words, code=0, said=(), name="k.c", recording=".tilerace"):
        run = self.run_in(TILERACE, "cc", "-c", name, "-o", "k.o", f"--race-launch={recording}",
                          *words)
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        self.assertEqual(LEVELS.findall(run.stderr), list(said), run.stderr)
        return run.stderr

    def have(self, text, kernel="scatter", *launches):
        """The source, and a recording of its launches."""
        self.write("k.c", text)
        subprocess.run([TILERACE, "compile", "k.c", "-o", "ran.tilebc"], cwd=self.folder,
                       check=True)
        for launch in launches:
            self.record(TILERACE, "ran.tilebc", kernel, *launch)


@unittest.skipIf(common.is_sanitized(TILERACE), "its driver cannot be loaded")
class Launches(Case):
    def test_clean_launch(self):
        """What only a promise excludes is no warning where no launch does it."""
        self.have(OPEN, "scatter", ["4", "4096", HELD])
        self.compile("-Werror=race", said=["remark"])
        said = self.compile(said=["remark"])
        self.assertIn("k.c:2:18: remark: race-free in the launch of 'scatter' in .tilerace; in "
                      "others only if no two elements of 'place' are equal [-Rrace]\n", said)
        self.compile("-Wrace=strict", "-Werror=race", code=1, said=["error"])
        self.compile("-Wno-race")

    def test_racy_launch(self):
        self.have(OPEN, "scatter", ["4", "4096", HELD], ["4", "4096", RACES])
        said = self.compile("-Werror=race", code=1, said=["error"])
        self.assertIn("k.c:4:5: error: different tile blocks write the same elements of 'y' "
                      "[-Werror,-Wrace]", said)
        self.assertIn("note: tile block (2, 0, 0) reads place[2] = 3 and stores y[3]", said)
        self.assertRegex(said, r"note: launched by .*python\S* launches\.py")
        self.compile(said=["warning"])

    def test_equal_launches_are_told_once(self):
        self.have(OPEN, "scatter", ["4", "4096", RACES], ["4", "4096", "1,1,2,3"])
        self.compile(said=["warning"])

    def test_undefined_launch(self):
        """An access outside of a buffer is an error of that launch, whatever the proof asks."""
        self.have(OPEN.replace("y[place[tile_bid(0)]]", "y[tile_bid(0)]"), "scatter",
                  ["4", "8", HELD])
        said = self.compile("-Werror=race", code=1, said=["error"])
        self.assertIn("this store leaves 'y', which has 2 elements", said)

    def test_race_of_other_launches(self):
        """As under `exec`: other launches race, those that are known do not."""
        halves = RACY.replace("    tile_grid(8);\n", "")
        self.have(halves, "halves", ["1", "4096"])
        said = self.compile("-Werror=race", said=["warning"])
        self.assertIn("note: other launches: the launch of 'halves' in .tilerace is race-free",
                      said)
        self.compile("-Wrace=strict", "-Werror=race", code=1, said=["error"])
        self.have(halves, "halves", ["2", "4096"])
        self.compile("-Werror=race", code=1, said=["error"])

    def test_proved_kernel(self):
        self.have(CLEAN.replace("    tile_grid(8);\n", ""), "halves", ["4", "4096"])
        self.assertEqual(self.compile("-Werror=race"), "")

    def test_launch_that_the_source_excludes(self):
        self.have(CONDITIONAL, "scatter", ["4", "4096", HELD])
        said = self.compile(said=["warning", "warning"])
        self.assertIn("a launch of 'scatter' in .tilerace is none that it allows: ", said)
        self.compile("-Werror=race", code=1, said=["error", "warning"])

    def test_contract_beside_it(self):
        """What a contract states is asked for as before."""
        self.have(OPEN, "scatter", ["4", "4096", HELD])
        stated = '{"version": 2, "launches": [{"kernel": "scatter", "grid": [4], "contents": ' \
                 '[{"buffer": "place", "values": [%s]}]}]}'
        self.write("l.json", stated % HELD)
        self.compile("--race-launch=l.json", "-Werror=race")
        self.write("l.json", stated % RACES)
        self.compile("--race-launch=l.json", "-Werror=race", code=1, said=["error"])

    def test_stale(self):
        self.have(OPEN, "scatter", ["4", "4096", HELD])
        self.write("k.c", "/* a line more */\n\n" + OPEN)
        self.compile(said=["remark"])  # is the same kernel
        self.write("k.c", OPEN.replace("1.0f", "2.0f"))
        said = self.compile(said=["remark", "warning"])
        self.assertIn("k.c:2:18: remark: 'scatter' has changed since .tilerace was recorded, and "
                      "is checked without it [-Rrace]\n", said)
        self.compile("-Werror=race", "-Wrace=strict", code=1, said=["remark", "error"])
        self.have(OPEN.replace("1.0f", "2.0f"), "scatter", ["4", "4096", HELD])
        self.compile(said=["remark"])  # both versions are recorded

    def test_no_launch_of_it(self):
        self.have(OPEN, "scatter", ["4", "4096", HELD])
        self.write("k.c", OPEN.replace("scatter", "other") +
                   OPEN.split("\n", 1)[1].replace("1.0f", "2.0f"))
        said = self.compile(said=["remark", "warning"] * 2)
        self.assertIn("remark: .tilerace has no launch of 'other', which is checked without it",
                      said)
        self.assertIn("remark: 'scatter' has changed", said)

    def test_many(self):
        """Of two kernels each gets its own launches."""
        two = OPEN + RACY.split("\n", 1)[1].replace("    tile_grid(8);\n", "")
        self.have(two, "scatter", ["4", "4096", HELD])
        self.have(two, "halves", ["2", "4096"])
        said = self.compile("-Werror=race", code=1, said=["remark", "error"])
        self.assertIn("'scatter'", said)
        self.assertIn("k.c:8:5: error: ", said)


@unittest.skipIf(common.is_sanitized(TILERACE), "its driver cannot be loaded")
class Damage(Case):
    """What is wrong is said, an error where verdicts were asked for, and nothing is used of it."""

    def setUp(self):
        super().setUp()
        self.have(OPEN, "scatter", ["4", "4096", HELD])
        self.root = self.folder / ".tilerace"

    def expect(self, what, path=""):
        said = self.compile(said=["warning", "warning"])
        self.assertIn(f".tilerace{path}: warning: {what}", said)
        self.assertIn(".tilerace: note: kernels are checked without this recording\n", said)
        self.assertIn("unless no two elements of 'place' are equal [-Wrace]", said)
        run = self.run_in(TILERACE, "cc", "-c", "k.c", "-o", "k.o", "--race-launch=.tilerace",
                          "-Werror=race")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.compile("-Wno-race")

    def one(self, pattern):
        path, = self.root.glob(pattern)
        return path, f"/{path.relative_to(self.root)}"

    def test_folder_that_is_none(self):
        shutil.rmtree(self.root)
        self.root.mkdir()
        self.expect("is a folder, but no recording")

    def test_nothing_there(self):
        run = self.run_in(TILERACE, "cc", "-c", "k.c", "-o", "k.o", "--race-launch=gone")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("gone: error: ", run.stderr)

    def test_cut(self):
        for pattern in ("launches/*.json", "modules/*.tilebc", "modules/*.json"):
            with self.subTest(pattern):
                path, name = self.one(pattern)
                data = path.read_bytes()
                path.write_bytes(data[:len(data) // 2] or b"x")
                self.expect("is cut or was edited: it is not what was recorded",
                            name.replace(".json", ".tilebc") if "modules" in name else name)
                path.write_bytes(data)

    def test_gone(self):
        path, name = self.one("modules/*.tilebc")
        path.unlink()
        launch, name = self.one("launches/*.json")
        self.expect("is of a module that is not there", name)

    def test_index(self):
        for text, why in (("", "is not the index"), ("[]", "is not the index"),
                          ('{"format": 7, "version": 1}', "is not the index"),
                          ('{"format": "tilerace recording", "version": 9}', "is of version 9")):
            (self.root / "index.json").write_text(text)
            self.expect(why, "/index.json")

    def test_no_file(self):
        """A pipe or a device has no end; a link to a file of these contents is as good as it."""
        path, name = self.one("launches/*.json")
        elsewhere = self.folder / "elsewhere"
        path.rename(elsewhere)
        path.symlink_to(elsewhere)
        self.compile(said=["remark"])
        for target in ("/dev/zero", "/nowhere"):
            path.unlink()
            path.symlink_to(target)
            self.expect("is not a regular file" if target == "/dev/zero" else "cannot open", name)
        path.unlink()
        os.mkfifo(path)
        self.expect("is not a regular file", name)

    def test_wrong_types(self):
        """Files whose names say that they are what was recorded."""
        hashes = BUILD / "tests/recorded_name"
        path, _ = self.one("launches/*.json")
        launch = json.loads(path.read_text())
        module = path.name.split(".")[0]
        for key, value in (("kernel", 7), ("grid", "4"), ("parameters", ["a"]), ("args", {}),
                           ("parameters", [["a"], 2]), ("contents", [7]), ("grid", [4, 1, 1, 1])):
            with self.subTest((key, value)):
                path.unlink()
                own = dict(launch["launches"][0], **{key: value})
                text = json.dumps({"version": 2, "launches": [own]})
                name = subprocess.run([hashes], input=text, capture_output=True, text=True,
                                      check=True).stdout
                path = self.root / "launches" / f"{module}.{name}.json"
                path.write_text(text)
                run = self.run_in(TILERACE, "cc", "-c", "k.c", "-o", "k.o",
                                  "--race-launch=.tilerace", "-Werror=race")
                self.assertEqual((run.returncode, run.stdout), (1, ""), run.stderr)
                self.assertIn("error: ", run.stderr)
                self.assertIn("unless no two elements of 'place' are equal [-Wrace]", run.stderr)


@unittest.skipIf(common.is_sanitized(TILERACE), "its driver cannot be loaded")
class Launcher(Case):
    """tilerace-nvcc before a compiler that stands for nvcc."""

    def setUp(self):
        super().setUp()
        self.nvcc = self.write_nvcc(TILERACE)
        self.have(OPEN, "scatter", ["4", "4096", HELD])
        self.write("k.cu", OPEN)

    def launch(self, *words, code=0, said=()):
        run = self.run_in(LAUNCHER, "--race-launch=.tilerace", self.nvcc, "-c", "k.cu", "-o",
                          "k.o", *words)
        self.assertEqual((run.returncode, run.stdout), (code, "to stdout\n"), run.stderr)
        self.assertEqual(LEVELS.findall(run.stderr), list(said), run.stderr)
        self.assertEqual((self.folder / "k.o").exists(), code == 0)
        return run.stderr

    def test_launches(self):
        self.launch("-Werror=race", said=["remark"])
        self.have(OPEN, "scatter", ["4", "4096", RACES])
        said = self.launch("-Werror=race", code=1, said=["error"])
        self.assertIn("note: launched by ", said)

    def test_absent(self):
        self.write("k.cu", OPEN.replace("1.0f", "2.0f"))
        self.assertIn("has changed since", self.launch(said=["remark", "warning"]))
        self.write("k.cu", OPEN.replace("scatter", "other"))
        self.assertIn("no launch of 'other'", self.launch(said=["remark", "warning"]))

    def test_damage(self):
        path, = self.folder.glob(".tilerace/launches/*.json")
        path.write_text("{")
        said = self.launch(said=["warning", "warning"])
        self.assertIn("is cut or was edited", said)
        self.launch("-Werror=race", code=1, said=["error", "warning"])

    def test_contract_beside_the_source(self):
        self.write("k.launch.json", '{"version": 2, "launches": [{"kernel": "scatter", "grid": '
                                    '[4], "contents": [{"buffer": "arg1", "values": [%s]}]}]}'
                   % RACES)
        self.launch("-Werror=race", code=1, said=["error"])


@unittest.skipUnless(NVCC, "no nvcc was named")
class Nvcc(Case):
    """nvcc itself, alone and in a build of CMake with ninja."""

    SOURCE = """#include <cuda_tile.h>
__tile_global__ void scatter(float *__restrict__ y, const int *__restrict__ place)
{
    y[place[cuda::tiles::bid().x]] = 1.0f;
}
"""
    FLAGS = ["-arch=sm_90", "-std=c++20"]
    KERNEL = "_Z7scatterPfPKi"

    def setUp(self):
        super().setUp()
        self.write("k.cu", self.SOURCE)
        run = self.run_in(NVCC, "--tilebc", "--tile-only", *self.FLAGS, "k.cu", "-o", "ran.tilebc")
        self.assertEqual(run.returncode, 0, run.stderr)

    def launch(self, values):
        self.record(TILERACE, "ran.tilebc", self.KERNEL, "4", "4096", values)

    def expect(self, words, code, said):
        run = self.run_in(LAUNCHER, "--race-launch=.tilerace", "-Werror=race", NVCC, *words,
                          *self.FLAGS, "k.cu")
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        self.assertEqual(LEVELS.findall(run.stderr), said, run.stderr)
        return run.stderr

    def test_launches(self):
        self.launch(HELD)
        ways = (["--enable-tile", "-c", "-o", "k.o"],
                ["--tilebc", "--tile-only", "-lineinfo", "-o", "k.tilebc"])
        for words in ways:
            self.assertIn("race-free in the launch of 'scatter(float*, int const*)' in .tilerace; "
                          "in others only if no two elements of 'arg1' are equal [-Rrace]",
                          self.expect(words, 0, ["remark"]))
        self.launch(RACES)
        for words in ways:
            said = self.expect(words, 1, ["error"])
            self.assertRegex(said, r"k\.cu:4:\d+: error: different tile blocks write .* "
                                   r"\[-Werror,-Wrace\]\n")
            self.assertIn("note: tile block (2, 0, 0) reads arg1[2] = 3 and stores arg0[3]", said)

    def test_absent(self):
        self.launch(RACES)
        words = ["--enable-tile", "-c", "-o", "k.o"]
        self.write("k.cu", "// a line more\n" + self.SOURCE)
        self.expect(words, 1, ["error"])
        self.write("k.cu", self.SOURCE.replace("1.0f", "2.0f"))
        self.assertIn("has changed since .tilerace was recorded, and is checked without it",
                      self.expect(words, 0, ["remark", "warning"]))
        self.write("k.cu", self.SOURCE.replace("scatter", "other"))
        self.assertIn(".tilerace has no launch of 'other(",
                      self.expect(words, 0, ["remark", "warning"]))

    def test_cmake(self):
        run = self.run_in("cmake", "--install", BUILD, "--prefix", self.folder / "prefix")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.write("CMakeLists.txt",
                   "cmake_minimum_required(VERSION 3.25)\nproject(k CUDA)\n"
                   "find_package(tilerace REQUIRED)\nadd_library(k OBJECT k.cu)\n"
                   "target_compile_options(k PRIVATE --enable-tile -std=c++20)\n"
                   "tilerace_add_race_check(k WERROR LAUNCH .tilerace)\n")
        for values, code, level in ((HELD, 0, "remark"), (RACES, 1, "error")):
            self.launch(values)
            shutil.rmtree(self.folder / "b", ignore_errors=True)
            run = self.run_in("cmake", "-G", "Ninja", "-B", "b", f"-DCMAKE_CUDA_COMPILER={NVCC}",
                              "-DCMAKE_CUDA_ARCHITECTURES=90", "-DCMAKE_CUDA_COMPILER_FORCED=1",
                              f"-DCMAKE_PREFIX_PATH={self.folder}/prefix")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            run = self.run_in("cmake", "--build", "b")
            self.assertEqual(run.returncode, code, run.stdout + run.stderr)
            self.assertEqual(LEVELS.findall(run.stdout + run.stderr), [level], run.stdout)


if __name__ == "__main__":
    unittest.main()

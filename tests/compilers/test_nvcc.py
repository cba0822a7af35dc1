"""tilerace-nvcc before a compiler: one of ours that behaves as nvcc does, and nvcc where it is.

    test_nvcc.py BUILD [NVCC]
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import common
from common import CLEAN, NEEDS_SOLVER_ALWAYS, OPEN, RACY, ROOT

NVCC = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else None
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = BUILD / "tilerace"
LAUNCHER = BUILD / "tilerace-nvcc"

class Case(common.Case):
    def setUp(self):
        super().setUp()
        self.nvcc = self.write_nvcc(TILERACE)

    def run_in(self, *words, **env):
        return super().run_in(*words, PATH=f"{self.folder}/bin:{os.environ['PATH']}", **env)

    def compile(self, *words, code=0, said=None, **env):
        """Its words beyond those of the compiler, which come through as they are."""
        run = self.run_in(LAUNCHER, *words, **env)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "to stdout\n")
        self.assertTrue(run.stderr.startswith("to stderr\n"), run.stderr)
        own = run.stderr[len("to stderr\n"):]
        if said is not None:
            self.assertEqual(re.findall(r"^.*?: (warning|error|remark):", own, re.M), said, own)
        return own


class Launcher(Case):
    def test_warning(self):
        self.write("k.cu", RACY)
        for command in (["nvcc"], [self.nvcc], []):
            said = self.compile(*command, "-c", "k.cu", "-o", "k.o", said=["warning"])
            self.assertRegex(said, r"^\S*:5:5: warning: .* \[-Wrace\]\n")

    def test_what_the_source_asserts(self):
        """What the kernel itself stops at cannot make it race: the module has its asserts."""
        rows = ("#include <tile.h>\ntile_kernel void rows(float *restrict y, int stride)\n{\n"
                "    tile_assert(stride >= 0);\n    y[tile_bid(0) * stride] = 1.0f;\n}\n")
        command = ["-Werror=race", "-Wrace=strict", "nvcc", "-c", "k.cu", "-o", "k.o"]
        self.write("k.cu", rows)
        said = self.compile(*command, code=1, said=["error"])
        self.assertIn(":5:5: error: ", said)
        self.write("k.cu", rows.replace(">= 0", "> 0"))
        self.compile(*command, said=[])

    def test_words_are_unchanged(self):
        self.write("k.cu", CLEAN)
        words = ["-c", "k.cu", "-o", "k.o", "-Xcompiler", "-Wall -c", "-gencode",
                 "arch=compute_90,code=sm_90", "-DA=\"b c\"", "--threads", "4", "", "-Werror",
                 "all-warnings"]
        self.compile("-Wrace", "-Werror=race", "nvcc", *words, "-Wno-error=race", said=[])
        self.assertEqual((self.folder / "words").read_text().split("\n")[:-1], words)

    def test_object_is_the_same(self):
        self.write("k.cu", RACY)
        self.run_in(self.nvcc, "-c", "k.cu", "-o", "k.o")
        before = (self.folder / "k.o").read_bytes()
        self.compile("nvcc", "-c", "k.cu", "-o", "k.o", said=["warning"])
        self.assertEqual((self.folder / "k.o").read_bytes(), before)

    def test_error(self):
        self.write("k.cu", RACY)
        for words, env in ((["-Werror=race", "nvcc"], {}), (["nvcc", "-Werror=race"], {}),
                           (["nvcc"], {"TILERACE_NVCC_FLAGS": " -Wrace  -Werror=race "})):
            said = self.compile(*words, "-c", "k.cu", "-o", "k.o", code=1, said=["error"], **env)
            self.assertIn("[-Werror,-Wrace]", said)
            self.assertFalse((self.folder / "k.o").exists())

    def test_silence(self):
        self.write("k.cu", RACY)
        self.compile("nvcc", "-c", "k.cu", "-o", "k.o", "-Wno-race", said=[])
        self.write("k.cu", CLEAN)
        self.assertEqual(self.compile("nvcc", "-c", "k.cu", "-o", "k.o", "-Werror=race"), "")

    def test_conditional(self):
        self.write("k.cu", OPEN)
        words = ["nvcc", "-c", "k.cu", "-o", "k.o"]
        self.compile("-Werror=race", *words, said=["warning"])
        self.compile("-Werror=race", "-Wrace=strict", *words, code=1, said=["error"])

    def test_launch_contract(self):
        contract = ('{"version": 2, "launches": [{"kernel": "scatter", "grid": [4], "contents": '
                    '[{"buffer": "arg1", "values": %s}]}]}')
        words = ["nvcc", "-c", "k.cu", "-o", "k.o", "-Werror=race"]
        self.write("k.cu", OPEN)
        self.write("k.launch.json", contract % [3, 1, 0, 2])
        self.assertEqual(self.compile(*words), "")
        self.write("other.json", contract % [3, 1, 3, 2])
        self.compile(*words, "--race-launch=other.json", code=1, said=["error"])

    def test_outputs(self):
        self.write("k.cu", RACY)
        for words in (["-c", "k.cu"], ["-dc", "k.cu"], ["k.cu", "-o", "prog"],
                      ["--tilebc", "k.cu", "-o", "k.bc"], ["-c", "k.cu", "-o", "/dev/null"],
                      ["-cubin", "k.cu", "-o", "k.cubin"], ["-x", "cu", "-c", "k.cu", "-o", "k.o"],
                      ["-c", "-t", "4", "k.cu", "-o", "k.o"], ["-t=0", "-c", "k.cu"],
                      ["-c", "k.cu", "-o=k.o"], ["--compile", "k.cu", "--output-file=k.o"]):
            with self.subTest(words):
                self.compile("nvcc", *words, said=["warning"])

    def test_nothing_to_check(self):
        self.write("k.cu", RACY)
        self.write("k.o", "")
        for words in (["-E", "k.cu"], ["-M", "k.cu"], ["--dryrun", "-c", "k.cu"], ["--version"],
                      ["-MM", "k.cu"], ["-dryrun", "k.cu"], ["--device-link", "k.o", "k.cu"],
                      ["-dlink", "k.o", "-o", "d.o"], ["k.o", "-o", "prog"], ["-c", "host.cpp"],
                      ["-Xcompiler", "k.cu", "host.o"], ["-include", "k.cu", "-c", "host.cpp"], []):
            with self.subTest(words):
                self.assertEqual(self.compile("nvcc", *words), "")

    def test_language(self):
        """-x cu makes a source of any name a CUDA source, before it or behind it."""
        self.write("k.cu", RACY)
        self.run_in(self.nvcc, "-c", "k.cu", "-o", "k.o")
        self.write("bin/copies", "#!/bin/sh\necho to stdout; echo to stderr >&2\n").chmod(0o755)
        for name in ("k.inc", "k", "k.cpp"):
            self.write(name, RACY)
            for words in (["-x", "cu", name], [name, "-x", "cu"], ["-x=cu", name]):
                with self.subTest(words):
                    self.compile("copies", "-c", *words, "-o", "k.o", said=["warning"])
        self.assertEqual(self.compile("copies", "-x", "cu", "-c", "gone", "-o", "k.o"), "")

    def test_response_files(self):
        self.write("k.cu", RACY)
        self.write("words.txt", "-c 'k.cu'\n-o k.o\n")
        self.compile("nvcc", "--options-file", "words.txt", code=3, FAKE_CODE="3")
        self.assertEqual((self.folder / "words").read_text(), "--options-file\nwords.txt\n")
        self.run_in(self.nvcc, "-c", "k.cu", "-o", "k.o")
        for words in (["--options-file", "words.txt"], ["-optf=words.txt"], ["@words.txt"]):
            self.compile("nvcc", *words, said=["warning"])

    def test_many_words(self):
        """Of a generated build: none is looked at less for the others."""
        self.write("k.cu", RACY)
        self.write("words.txt", "".join(f"-DN{i}=1\n" for i in range(70_000)) + "-c k.cu -o k.o\n")
        self.compile("nvcc", "@words.txt", said=["warning"])

    def test_several_sources(self):
        self.write("a.cu", RACY)
        self.write("b.cu", RACY.replace("halves", "others"))
        for name in "ab":
            self.run_in(self.nvcc, "-c", f"{name}.cu")
        # ours makes the last alone; what is there of the others is looked at
        self.compile("nvcc", "-c", "a.cu", "b.cu", said=["warning", "warning"])


class Builds(Case):
    """Parallel builds: each object with its own warning, and an error stops them."""

    def expect(self, *command):
        for flags, code in (("", 0), ("-Werror=race", 1)):
            for path in self.folder.glob("k*.o"):
                path.unlink()
            run = self.run_in(*command, TILERACE_NVCC_FLAGS=flags)
            self.assertEqual(run.returncode != 0, code != 0, run.stdout + run.stderr)
            said = re.findall(r":5:5: (warning|error): ", run.stdout + run.stderr)
            self.assertEqual(said, ["error" if code else "warning"], run.stdout + run.stderr)
            self.assertEqual((self.folder / "k2.o").exists(), not code)

    def setUp(self):
        super().setUp()
        for i in range(6):
            self.write(f"k{i}.cu", RACY if i == 2 else CLEAN)

    def test_make(self):
        self.write("Makefile", "all: k0.o k1.o k2.o k3.o k4.o k5.o\n%.o: %.cu\n"
                               f"\t{LAUNCHER} nvcc -c $< -o $@\n")
        self.expect("make", "-j2", "-k")

    def test_ninja(self):
        self.write("build.ninja", f"rule nvcc\n  command = {LAUNCHER} nvcc -c $in -o $out\n" +
                   "".join(f"build k{i}.o: nvcc k{i}.cu\n" for i in range(6)))
        self.expect("ninja", "-j2", "-k0")


class Faults(Case):
    def test_codes(self):
        self.write("k.cu", RACY)
        for code in (1, 2, 7, 255):
            self.compile("nvcc", "-c", "k.cu", "-o", "k.o", code=code, said=[], FAKE_CODE=str(code))
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGPIPE):
            self.compile("nvcc", "-c", "k.cu", code=128 + number, said=[],
                         FAKE_SIGNAL=str(int(number)))

    def test_no_compiler(self):
        for words in (["/nowhere/nvcc", "-c", "k.cu"], ["nvcc13", "-c", "k.cu"]):
            run = self.run_in(LAUNCHER, *words)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertIn(f"{words[0]} cannot be started: No such file", run.stderr)

    def test_bad_flags(self):
        run = self.run_in(LAUNCHER, "nvcc", TILERACE_NVCC_FLAGS="-O3")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("'-O3' is not an option of tilerace-nvcc", run.stderr)

    def test_unreadable_output(self):
        """What cannot be checked fails no build, unless its verdict was asked for."""
        self.write("k.cu", CLEAN)
        self.run_in(self.nvcc, "--tilebc", "k.cu", "-o", "k.bc")
        whole = (self.folder / "k.bc").read_bytes()
        (self.folder / "cut.bc").write_bytes(whole[:-40])
        self.write("bin/cut", f"#!/bin/sh\necho to stdout\necho to stderr >&2\n"
                              f"cp {self.folder}/cut.bc k.o\n").chmod(0o755)
        said = self.compile("cut", "-c", "k.cu", "-o", "k.o", said=["warning"])
        self.assertIn("kernels were not checked for races", said)
        self.compile("-Werror=race", "cut", "-c", "k.cu", "-o", "k.o", code=1, said=["error"])

    def test_no_solver(self):
        self.write("k.cu", CLEAN)
        env = {"TILERACE_SOLVER": "/nowhere/z3"}
        words = ["nvcc", "-c", "k.cu", "-o", "k.o"]
        self.compile(*words, said=["warning"], **env)
        self.compile(*words, "-Werror=race", code=1, said=["error"], **env)
        self.compile(*words, "-Wno-race", said=[], **env)

    def test_pipes(self):
        self.write("k.cu", RACY)
        run = subprocess.run(f"{LAUNCHER} {self.nvcc} -c k.cu -o k.o 2>&1 | head -1",
                             cwd=self.folder, shell=True, capture_output=True, check=True)
        self.assertEqual(run.stdout, b"to stdout\n")

    def test_one_source_at_once(self):
        self.write("k.cu", RACY)
        runs = [subprocess.Popen([LAUNCHER, self.nvcc, "-c", "k.cu", "-o", f"k{i}.o"],
                                 cwd=self.folder, stderr=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL, text=True) for i in range(6)]
        for i, run in enumerate(runs):
            said = run.communicate()[1]
            self.assertEqual((run.returncode, said.count("warning: ")), (0, 1), said)
            self.assertTrue((self.folder / f"k{i}.o").exists())

    def test_output_that_is_no_file(self):
        """A pipe gets what nvcc writes into it, stdout that alone; neither is removed."""
        self.write("k.cu", RACY)
        self.run_in(self.nvcc, "--tilebc", "k.cu", "-o", "k.bc")
        whole = (self.folder / "k.bc").read_bytes()
        self.write("bin/pipes", "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ $1 = -o ] && out=$2; shift; "
                                "done\ncat k.bc > $out\n").chmod(0o755)
        run = subprocess.run([LAUNCHER, self.folder / "bin/pipes", "--tilebc", "-o", "/dev/stdout",
                              "k.cu"], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (0, whole), run.stderr)
        self.assertIn(b"-Wrace]", run.stderr)
        os.mkfifo(self.folder / "pipe")
        reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        run = subprocess.run([LAUNCHER, "-Werror=race", self.folder / "bin/pipes", "--tilebc", "-o",
                              "pipe", "k.cu"], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (1, b""), run.stderr)
        self.assertEqual(os.read(reader, len(whole) + 1), whole)
        self.assertTrue((self.folder / "pipe").exists())
        os.close(reader)

    def test_large_output(self):
        """An object of 100 MB is searched like any other."""
        self.write("k.cu", RACY)
        self.run_in(self.nvcc, "-c", "k.cu", "-o", "small.o")
        self.write("bin/large", "#!/bin/sh\necho to stdout; echo to stderr >&2\n"
                                "truncate -s 100M k.o && cat small.o >> k.o\n").chmod(0o755)
        self.compile("large", "-c", "k.cu", "-o", "k.o", said=["warning"])

    def test_checker_that_dies(self):
        """As by a mistake of its own: that fails no build, unless its verdict was asked for."""
        self.write("k.cu", NEEDS_SOLVER_ALWAYS)
        env = {"TILERACE_SOLVER": self.write_killer()}
        words = ["nvcc", "-c", "k.cu", "-o", "k.o"]
        said = self.compile(*words, said=["warning"], **env)
        self.assertIn("kernels were not checked for races: the checker died: Aborted", said)
        said = self.compile("-Werror=race", *words, code=1, said=["error"], **env)
        self.assertFalse((self.folder / "k.o").exists())

    def test_stopped(self):
        """Who stops the launcher stops the compiler."""
        self.write("bin/slow", "#!/bin/sh\necho $$ > slow\nexec sleep 60\n").chmod(0o755)
        run = subprocess.Popen([LAUNCHER, self.folder / "bin/slow"], cwd=self.folder)
        number = self.wait_for("slow")
        run.terminate()
        run.wait()
        for _ in range(100):
            if not os.path.exists(f"/proc/{number}") or "\tZ" in pathlib.Path(
                    f"/proc/{number}/status").read_text():
                return
            time.sleep(0.1)
        self.fail("the compiler goes on")

    def wait_for(self, name):
        for _ in range(100):
            text = (self.folder / name).read_text() if (self.folder / name).exists() else ""
            if text.endswith("\n"):
                return int(text)
            time.sleep(0.1)
        return self.fail(f"{name} is not written")

    def test_at_once(self):
        for i in range(8):
            self.write(f"{i}/k.cu", RACY)
        runs = [subprocess.Popen([LAUNCHER, self.nvcc, "-c", "k.cu", "-o", "k.o"],
                                 cwd=self.folder / str(i), stderr=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL, text=True) for i in range(8)]
        for run in runs:
            said = run.communicate()[1]
            self.assertEqual((run.returncode, said.count("warning: ")), (0, 1), said)


@unittest.skipUnless(NVCC, "no nvcc was named")
class Nvcc(common.Case):
    """nvcc itself, in CMake's builds."""

    SOURCE = (ROOT / "kernels/cpp/aligned_copy.cu").read_text()
    RACY = SOURCE.replace("cells(dst).store_masked(cells(src).load_masked(i, j), i, j)",
                          "cells(dst).store_masked(cells(src).load_masked(i, j), i, 0)")
    FLAGS = ["-arch=sm_90", "-std=c++20"]

    def setUp(self):
        super().setUp()
        self.assertNotEqual(self.SOURCE, self.RACY)
        self.line = 1 + self.SOURCE[:self.SOURCE.index("store_masked")].count("\n")
        (self.folder / "racy.cu").write_text(self.RACY)
        (self.folder / "clean.cu").write_text("int unused_on_the_host;\n")

    @staticmethod
    def without_process(data):
        """nvcc names its temporary files after its process, and those names get into objects."""
        return re.sub(rb"_[0-9a-f]{8}_00000000-", b"_PROCESS_00000000-", data)

    def test_objects(self):
        for words in (["--enable-tile", "-c", "-o", "k.o"], ["--enable-tile", "-dc", "-o", "k.o"],
                      ["--tilebc", "--tile-only", "-lineinfo", "-o", "k.tilebc"]):
            with self.subTest(words):
                command = [NVCC, *words, *self.FLAGS, "racy.cu"]
                plain = self.run_in(*command)
                output = self.folder / words[-1]
                before = self.without_process(output.read_bytes())
                run = self.run_in(LAUNCHER, *command)
                self.assertEqual((run.returncode, run.stdout), (0, plain.stdout))
                self.assertRegex(run.stderr, rf"racy\.cu:{self.line}:\d+: warning: .*\[-Wrace\]")
                self.assertEqual(self.without_process(output.read_bytes()), before)
                run = self.run_in(LAUNCHER, "-Werror=race", *command)
                self.assertEqual(run.returncode, 1)
                self.assertFalse(output.exists())

    def test_machine_code_alone(self):
        """Objects for named GPUs hold no Tile IR, compressed or not: the source is compiled for
        each. Of a source without tile kernels nothing is said."""
        ninety, hundred = ("arch=compute_90,code=sm_90", "arch=compute_100,code=sm_100")
        for words in (["-gencode", ninety], [f"-gencode={ninety}", "-Xfatbin", "-compress-all"],
                      ["-gencode", ninety, "-gencode", hundred], ["-rdc=true", "-gencode", ninety],
                      ["-gencode", "arch=compute_90,code=[sm_90,compute_90]"]):
            with self.subTest(words):
                command = [LAUNCHER, NVCC, "--enable-tile", "-std=c++20", "-c", "-o", "k.o", *words]
                run = self.run_in(*command, "racy.cu")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertRegex(run.stderr, rf"racy\.cu:{self.line}:\d+: warning: .*\[-Wrace\]")
                self.assertEqual(self.run_in(*command, "-Werror=race", "racy.cu").returncode, 1)
                run = self.run_in(*command, "-Werror=race", "clean.cu")
                self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_what_the_source_assumes(self):
        """Rows may overlap, unless the source says that they are far enough from each other."""
        command = [LAUNCHER, "-Werror=race", "-Wrace=strict", NVCC, "--enable-tile", "-c", "a.cu",
                   "-o", "a.o", *self.FLAGS]
        self.write("a.cu", self.SOURCE)
        run = self.run_in(*command)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertRegex(run.stderr, rf"a\.cu:{self.line}:\d+: error: .*\[-Werror,-Wrace\]")
        far = self.SOURCE.replace("ct::assume_bounded<0, 1 << 16>(pitch)",
                                  "ct::assume_bounded<1 << 16, 1 << 17>(pitch)")
        self.assertNotEqual(far, self.SOURCE)
        self.write("a.cu", far)
        run = self.run_in(*command)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_scan(self):
        self.run_in(NVCC, "--enable-tile", "-c", "racy.cu", "-o", "k.o", *self.FLAGS)
        self.run_in(NVCC, "--tilebc", "--tile-only", "-o", "k.tilebc", "racy.cu", *self.FLAGS)
        verdicts = [re.findall(r"'[^']+' races: .*", self.run_in(TILERACE, *words).stdout)
                    for words in (["scan", "k.o"], ["check", "k.tilebc"])]
        self.assertEqual(len(verdicts[0]), 1)
        self.assertEqual(verdicts[0], verdicts[1])

    def test_cmake(self):
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(k CUDA)\n"
            f"list(APPEND CMAKE_PREFIX_PATH {BUILD})\n"
            "add_library(k OBJECT racy.cu clean.cu)\n"
            "target_compile_options(k PRIVATE --enable-tile -std=c++20)\n")
        for generator in ("Ninja", "Unix Makefiles"):
            for flags, code in (("", 0), (";-Werror=race", 1)):
                shutil.rmtree(self.folder / "b", ignore_errors=True)
                run = self.run_in("cmake", "-G", generator, "-B", "b",
                                  f"-DCMAKE_CUDA_COMPILER={NVCC}", "-DCMAKE_CUDA_ARCHITECTURES=90",
                                  "-DCMAKE_CUDA_COMPILER_FORCED=1",
                                  f"-DCMAKE_CUDA_COMPILER_LAUNCHER={LAUNCHER}{flags}")
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                run = self.run_in("cmake", "--build", "b", "-j2")
                self.assertEqual(run.returncode != 0, code != 0, run.stdout + run.stderr)
                said = run.stdout + run.stderr
                level = "error" if code else "warning"
                self.assertEqual(re.findall(r"racy\.cu:(\d+):\d+: (warning|error): ", said),
                                 [(str(self.line), level)], said)


if __name__ == "__main__":
    unittest.main()

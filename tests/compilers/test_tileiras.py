"""The assembler that cuTile Rust and Triton call, with a check on the way.

    test_tileiras.py BUILD [TILEIRAS]
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock

import common
from common import CLEAN, NEEDS_SOLVER_ALWAYS, OPEN, RACY, ROOT

# By cuTile Rust 0.3.
WITHOUT_LINES = ROOT / "fixtures/races/rust/frontend_double_in_place.tilebc"
# A package, and a module that cuTile Rust 0.5.0 made of its kernel in a test of `cargo test`.
PACKAGE = ROOT / "tests/compilers/rust"
REAL = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else None
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
WRAPPER = BUILD / "assembler/tileiras"
FAKE = """#!/bin/sh
printf '%s\\n' "$@" > words
echo assembling; echo no errors >&2
[ -z "$FAKE_CODE" ] || exit $FAKE_CODE
while [ $# -gt 0 ]; do case $1 in -o) echo code > "$2" ;; esac; shift; done
"""


class Folder(common.Case):
    def setUp(self):
        super().setUp()
        self.real = self.folder / "real/tileiras"
        self.real.parent.mkdir()
        self.real.write_text(FAKE)
        self.real.chmod(0o755)

    def module(self, text, name="kernel.bc"):
        """As these programs write theirs: without lines."""
        (self.folder / "kernel.c").write_text(text)
        subprocess.run([BUILD / "tilerace", "compile", "kernel.c", "-o", "m.tilebc"],
                       cwd=self.folder, check=True)
        (self.folder / "m.tilebc").rename(self.folder / name)

    def run_in(self, *words, program=WRAPPER, **env):
        full = {k: v for k, v in os.environ.items() if not k.startswith("TILERACE_W")}
        full.update({"TILERACE_TILEIRAS": str(self.real), **env})
        return subprocess.run([str(program), *words], cwd=self.folder, capture_output=True,
                              text=True, check=False, env=full)

    def assemble(self, text, code=0, said=(), **env):
        self.module(text)
        (self.folder / "kernel.cubin").unlink(missing_ok=True)
        run = self.run_in("--gpu-name", "sm_90", "-o", "kernel.cubin", "kernel.bc", **env)
        self.assertEqual((run.returncode, run.stdout), (code, "assembling\n"), run.stderr)
        self.assertTrue(run.stderr.startswith("no errors\n"))
        self.assertEqual((self.folder / "kernel.cubin").exists(), code == 0)
        own = run.stderr[len("no errors\n"):]
        for part in said:
            self.assertIn(part, own)
        if not said:
            self.assertEqual(own, "")
        return own


class Assembler(Folder):
    def test_verdicts(self):
        self.assemble(CLEAN)
        self.assemble(RACY, said=["warning: different tile blocks", "[-Wrace]"])
        self.assemble(RACY, code=1, said=["[-Werror,-Wrace]"], TILERACE="error")
        self.assemble(RACY, TILERACE="off")
        self.assemble(OPEN, said=["warning: "], TILERACE="error")
        self.assemble(OPEN, code=1, said=["error: "], TILERACE="strict")
        self.assemble(CLEAN, TILERACE="strict")

    def test_words_are_unchanged(self):
        self.module(CLEAN)
        words = ["--opt-level", "3", "-o", "a b.cubin", "kernel.bc", "", "--lineinfo"]
        self.assertEqual(self.run_in(*words).returncode, 0)
        self.assertEqual((self.folder / "words").read_text().split("\n")[:-1], words)

    def test_nothing_to_check(self):
        for words in (["--version"], ["--help"], [], ["-o", "x.cubin", "gone.bc"]):
            run = self.run_in(*words, TILERACE="error")
            self.assertEqual((run.returncode, run.stdout, run.stderr),
                             (0, "assembling\n", "no errors\n"))

    def test_log(self):
        log = self.folder / "races"
        self.assemble(CLEAN, TILERACE_LOG=str(log))
        self.assertFalse(log.exists())
        said = self.assemble(RACY, said=["warning"], TILERACE_LOG=str(log))
        self.assemble(RACY, said=["warning"], TILERACE_LOG=str(log))
        self.assertEqual(log.read_text(), 2 * said)

    def test_names(self):
        """Where no line is known: the kernel, and the operation in it."""
        (self.folder / "kernel.bc").write_bytes(WITHOUT_LINES.read_bytes())
        run = self.run_in("-o", "kernel.cubin", "kernel.bc")
        self.assertRegex(run.stderr, r"^no errors\n(\w+): warning: .* \[-Wrace\]\n\1: note: at op \d+ of "
                                     r"'\1': .*load_view_tko")
        self.assertIn("note: second access: store by tile block (0, 0, 0)", run.stderr)
        self.assertIn("load of 'a0'", run.stderr)

    def test_names_of_a_package(self):
        """cargo says where the package is whose tests it runs: its sources have the names."""
        package = self.folder / "package"
        (package / "src").mkdir(parents=True)
        shutil.copy(WITHOUT_LINES.with_suffix(".rs"), package / "src/kernels.rs")
        (self.folder / "kernel.bc").write_bytes(WITHOUT_LINES.read_bytes())
        run = self.run_in("-o", "kernel.cubin", "kernel.bc", CARGO_MANIFEST_DIR=str(package))
        place = re.escape(f"{package}/src/kernels.rs:9:8")
        self.assertRegex(run.stderr, rf"(?m)^{place}: warning: .* load of 'z' with .*\[-Wrace\]$")
        self.assertRegex(run.stderr, rf"(?m)^{place}: note: in kernel 'frontend_double_in_place'$")
        self.assertRegex(run.stderr, r"and z of shape \(\d+\):")
        self.assertNotRegex(run.stderr, r"\ba0\b")  # not in a folder's name
        os.rename(self.folder / "kernel.bc", package / "kernel.bc")
        run = subprocess.run([WRAPPER, "-o", "k.cubin", "kernel.bc"], cwd=package, check=False,
                             capture_output=True, text=True, env={
                                 **os.environ, "TILERACE_TILEIRAS": str(self.real),
                                 "CARGO_MANIFEST_DIR": os.path.realpath(package)})
        self.assertIn("\nsrc/kernels.rs:9:8: warning: ", run.stderr)

    def test_names_at_places(self):
        """cuTile Rust 0.5 writes places, from the root of the workspace; tests run below it."""
        shutil.copytree(PACKAGE, self.folder, dirs_exist_ok=True)
        (self.folder / "Cargo.toml").write_text("[workspace]\n")
        below = self.folder / "member/tests"
        below.mkdir(parents=True)
        run = subprocess.run([WRAPPER, "-o", "k.cubin", self.folder / "add_halves.tilebc"], cwd=below,
                             capture_output=True, text=True, check=False,
                             env={**os.environ, "TILERACE_TILEIRAS": str(self.real),
                                  "TILERACE": "error"})
        self.assertEqual(run.returncode, 1)
        for part in ("src/lib.rs:18:18: error: different tile blocks write the same elements of 'y' "
                     "[-Werror,-Wrace]\n"
                     "   18 |         unsafe { tiles.store_unchecked(tx + tx, [place / 2]) };\n"
                     "      |                  ^\n",
                     "src/lib.rs:9:9: note: in kernel 'add_halves'\n",
                     "and y of shape ("):
            self.assertIn(part, run.stderr)
        self.assertRegex(run.stderr, r"x of shape \(\d+\), last = ")
        self.assertNotIn("inlined", run.stderr)

    def test_names_in_check(self):
        """`tilerace check MODULE` finds them, too; without the source they are numbered."""
        shutil.copytree(PACKAGE, self.folder, dirs_exist_ok=True)

        def check(*words):
            return self.run_in("check", *words, "add_halves.tilebc", program=BUILD / "tilerace")
        run = check()
        self.assertIn("write the same elements of 'y' [TR001]", run.stdout)
        self.assertIn("'add_halves' races", run.stdout)
        self.assertIn("requires: x.shape[0] % 16 == 0", run.stdout)
        # The module is one for arrays that are laid out so.
        self.assertIn("requires (standing): y.strides[0] == 1\n", run.stdout)
        self.assertIn("requires (standing): x.strides[0] == 1\n", run.stdout)
        # A contract by either names.
        for name in ("x.shape[0]", "a1_shape0"):
            (self.folder / "c.json").write_text(json.dumps({"version": 2, "launches": [
                {"kernel": "add_halves_entry", "assume": [f"{name} == 4096"]}]}))
            run = check("--launch", "c.json")
            self.assertNotIn("requires: x.shape[0]", run.stdout)
            self.assertIn("'add_halves' races", run.stdout)
        lines = (self.folder / "src/lib.rs").read_text()
        (self.folder / "src/lib.rs").write_text("\n" + lines)
        run = check()
        self.assertIn("of 'a0'", run.stdout)
        self.assertIn("'add_halves_entry' races", run.stdout)

    def test_faults(self):
        self.assemble(RACY, code=3, FAKE_CODE="3")
        self.assemble(RACY, said=["not checked for races"], TILERACE_SOLVER="/nowhere/z3")
        self.assemble(CLEAN, code=1, said=["error: kernels were not checked"], TILERACE="error",
                      TILERACE_SOLVER="/nowhere/z3")
        run = self.run_in("kernel.bc", TILERACE="eror")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("not 'eror'", run.stderr)

    def test_killed(self):
        self.module(RACY)
        self.real.write_text("#!/bin/sh\nkill -9 $$\n")
        run = self.run_in("-o", "kernel.cubin", "kernel.bc", TILERACE="error")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (137, "", ""))

    def test_checker_that_dies(self):
        env = {"TILERACE_SOLVER": self.write_killer()}
        self.assemble(NEEDS_SOLVER_ALWAYS, **env,
                      said=["warning: kernels were not checked for races: the checker died"])
        self.assemble(NEEDS_SOLVER_ALWAYS, code=1, said=["error: kernels were not checked"],
                      TILERACE="error", **env)

    def test_another_version(self):
        """An assembler that does not know the module's version: what it says is what counts."""
        self.module(RACY)
        self.real.write_text("#!/bin/sh\necho 'unsupported Tile version 13.4' >&2\nexit 5\n")
        run = self.run_in("-o", "kernel.cubin", "kernel.bc", TILERACE="error")
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (5, "", "unsupported Tile version 13.4\n"))

    def test_device(self):
        """A pipe or a device that is named as the output is not removed after an error."""
        self.module(RACY)
        device = self.folder / "device"
        os.mkfifo(device)
        reader = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
        run = self.run_in("-o", "device", "kernel.bc", TILERACE="error")
        self.assertEqual((run.returncode, run.stdout), (1, "assembling\n"))
        self.assertTrue(device.exists())
        os.close(reader)

    def test_at_once(self):
        """Of one module; each message is whole in the log."""
        self.module(RACY)
        env = dict(os.environ, TILERACE_TILEIRAS=str(self.real), TILERACE_LOG="log")
        runs = [subprocess.Popen([WRAPPER, "-o", "kernel.cubin", "kernel.bc"], cwd=self.folder,
                                 env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 text=True) for _ in range(6)]
        said = [run.communicate()[1][len("no errors\n"):] for run in runs]
        self.assertEqual([run.returncode for run in runs], [0] * 6)
        self.assertEqual((self.folder / "log").read_text(), 6 * said[0])

    def test_large_module(self):
        """Of 100 MB: assembled as ever, and not looked at."""
        self.module(CLEAN)
        with (self.folder / "kernel.bc").open("r+b") as module:
            module.truncate(100 << 20)
        run = self.run_in("-o", "kernel.cubin", "kernel.bc")
        self.assertEqual((run.returncode, run.stdout), (0, "assembling\n"))
        self.assertIn("warning: kernels were not checked for races: is larger than 64 MiB",
                      run.stderr)
        self.assertTrue((self.folder / "kernel.cubin").exists())

    def test_unreadable_module(self):
        self.module(CLEAN)
        whole = (self.folder / "kernel.bc").read_bytes()
        (self.folder / "kernel.bc").write_bytes(whole[:100])
        words = ["-o", "kernel.cubin", "kernel.bc"]
        run = self.run_in(*words)
        self.assertEqual(run.returncode, 0)
        self.assertIn("warning: kernels were not checked for races", run.stderr)
        self.assertEqual(self.run_in(*words, TILERACE="error").returncode, 1)

    def test_finding_the_assembler(self):
        """Whatever names us instead of the assembler, it is not us who is called again."""
        self.module(CLEAN)
        words = ["-o", "kernel.cubin", "kernel.bc"]
        path = f"{WRAPPER.parent}:{self.real.parent}:/usr/bin:/bin"
        for env in ({"CUTILE_TILEIRAS_PATH": str(WRAPPER)},
                    {"CUTILE_TILEIRAS_PATH": str(WRAPPER.parent)},
                    {"CUTILE_TILEIRAS_PATH": str(self.real)}, {}):
            run = self.run_in(*words, **env, TILERACE_TILEIRAS="", PATH=path)
            self.assertEqual((run.returncode, run.stdout), (0, "assembling\n"), run.stderr)
        run = self.run_in(*words, TILERACE_TILEIRAS=str(self.folder / "gone"))
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("TILERACE_TILEIRAS names", run.stderr)

    @unittest.skipUnless(REAL, "no tileiras was named")
    def test_real_assembler(self):
        self.real = pathlib.Path(REAL)
        self.module(RACY)
        words = ["--gpu-name", "sm_90", "-o", "kernel.cubin", "kernel.bc"]
        plain = self.run_in(*words, program=REAL)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        before = (self.folder / "kernel.cubin").read_bytes()
        run = self.run_in(*words)
        self.assertEqual(run.returncode, 0)
        self.assertIn("[-Wrace]", run.stderr)
        self.assertEqual((self.folder / "kernel.cubin").read_bytes(), before)
        self.assertEqual(self.run_in(*words, TILERACE="error").returncode, 1)



# Machine code of a module, as far as anybody looks at it here: a file with the section that tells
# it, and the module's own bytes.
CODE = """#!/usr/bin/env python3
import struct, sys
words = sys.argv[1:]
module = open([w for w in words if w.endswith(".bc")][0], "rb").read()
names = b"\\0.nv.host".ljust(32, b"\\0") + module.ljust(-(-len(module) // 8) * 8, b"\\0")
head = b"\\x7fELF\\2\\1\\1".ljust(16, b"\\0") + struct.pack(
    "<HHIQQQIHHHHHH", 0, 0, 0, 0, 0, 64 + len(names), 0, 64, 0, 0, 64, 1, 0)
section = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64, 32, 0, 0, 0, 0)
open(words[words.index("-o") + 1], "wb").write(head + names + section)
"""
# A program that compiles its kernel while it runs.
PROGRAM = """import ctypes, os, subprocess, sys
assembler = os.environ[sys.argv[1]]
if os.path.isdir(assembler):
    assembler += "/tileiras"
subprocess.run([assembler, "-o", "jit.cubin", "kernel.bc"], check=True)
code = open("jit.cubin", "rb").read()
cuda = ctypes.CDLL("libcuda.so.1")
module, function, context = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
place = ctypes.c_uint64()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
assert cuda.cuMemAlloc_v2(ctypes.byref(place), ctypes.c_size_t(4096)) == 0
assert cuda.cuModuleLoadData(ctypes.byref(module), code) == 0
assert cuda.cuModuleGetFunction(ctypes.byref(function), module, sys.argv[2].encode()) == 0
numbers = [ctypes.c_int(int(n)) for n in sys.argv[3:]]
values = (ctypes.c_void_p * (1 + len(numbers)))(
    *(ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in [place, *numbers]))
assert cuda.cuLaunchKernel(function, 4, 1, 1, 1, 1, 1, 0, None, values, None) == 0
"""


@unittest.skipIf(common.is_sanitized(BUILD / "tilerace"),
                 "a Python that is not built with sanitizers cannot load such a driver")
class UnderExec(Folder):
    """`tilerace exec` puts the assembler of ours in its place: kernels are seen and launches held."""

    def launch(self, text, variable="CUTILE_TILEIRAS_PATH", code=0, **env):
        self.module(text)
        self.real.write_text(CODE)
        (self.folder / "program.py").write_text(PROGRAM)
        env = {"CUTILE_TILEIRAS_PATH": str(self.real), "TILERACE_TILEIRAS": "", **env}
        run = self.run_in("exec", "--dry-run", "--no-recording", "--", sys.executable,
                          "program.py", variable, "halves", program=BUILD / "tilerace",
                          **env)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertIn("1 kernel seen in 1 module, 1 launched, 0 launched but never seen",
                      run.stderr)
        return run.stderr

    def launch_rust(self, module, symbol, numbers, **env):
        (self.folder / "kernel.bc").write_bytes(module.read_bytes())
        self.real.write_text(CODE)
        (self.folder / "program.py").write_text(PROGRAM)
        run = self.run_in("exec", "--dry-run", "--no-recording", "--", sys.executable,
                          "program.py", "CUTILE_TILEIRAS_PATH", symbol, *map(str, numbers),
                          program=BUILD / "tilerace", CUTILE_TILEIRAS_PATH=str(self.real),
                          TILERACE_TILEIRAS="", **env)
        self.assertIn("1 kernel seen in 1 module, 1 launched, 0 launched but never seen",
                      run.stderr)
        return run.stderr

    def test_names(self):
        """Those of the source, by the package that cargo names or by the module's own places."""
        package = self.folder / "package"
        package.mkdir()
        shutil.copy(WITHOUT_LINES.with_suffix(".rs"), package / "kernels.rs")
        words = [WITHOUT_LINES, "frontend_double_in_place_entry", [512, 1, 128, 1]]
        said = self.launch_rust(*words, CARGO_MANIFEST_DIR=str(package))
        self.assertIn("z of shape (512)", said)
        self.assertIn(f"{package}/kernels.rs: warning: ", said)
        self.assertIn("a0 of shape (512)", self.launch_rust(*words))
        shutil.copytree(PACKAGE, self.folder, dirs_exist_ok=True)
        # A tensor that is written: extent, stride, those of its partition; one that is read.
        program = PROGRAM.replace("[place, *numbers]", "[place, *numbers[:4], place, *numbers[4:]]")
        program = program.replace("1 + len(numbers)", "2 + len(numbers)")
        self.assertNotEqual(program, PROGRAM)
        with unittest.mock.patch(f"{__name__}.PROGRAM", program):
            said = self.launch_rust(PACKAGE / "add_halves.tilebc", "add_halves_entry",
                                    [512, 1, 128, 1, 512, 1, 7])
        self.assertIn("src/lib.rs:18:18: error: different tile blocks write the same elements of "
                      "'y'", said)

    def test_launches(self):
        for variable in ("CUTILE_TILEIRAS_PATH", "TRITON_TILEIRAS_PATH"):
            self.assertIn("1 proved", self.launch(CLEAN, variable))
            said = self.launch(RACY, variable, code=1)
            self.assertIn("different tile blocks write the same elements", said)

    def test_off(self):
        """TILERACE is about what the assembler says; `exec` looks all the same."""
        for word in "off", "warn":
            self.assertIn("1 racy", self.launch(RACY, code=1, TILERACE=word))

    def test_assembler_of_the_program(self):
        """The one that the program would have called: of either front end, by file or folder."""
        for env in ({"CUTILE_TILEIRAS_PATH": str(self.real.parent)},
                    {"CUTILE_TILEIRAS_PATH": "", "TRITON_TILEIRAS_PATH": str(self.real.parent)},
                    {"CUTILE_TILEIRAS_PATH": "", "TILERACE_TILEIRAS": str(self.real)}):
            self.launch(CLEAN, **env)


if __name__ == "__main__":
    unittest.main()

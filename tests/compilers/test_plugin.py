"""The plugin for Clang 19, in `clang -fplugin` and in a CMake project.

    test_plugin.py BUILD
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

import common
from common import CONDITIONAL, NEEDS_SOLVER, OPEN, RACY, ROOT

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = BUILD / "tilerace"
PLUGIN = BUILD / "lib/libtilerace_clang.so"
HEADER = RACY.replace("/ 2", "/ DIVISOR")
SOURCE = '#include "halves.h"\nint host(void) { return DIVISOR; }\n'


class Plugin(common.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "halves.h").write_text(HEADER)
        (self.folder / "open.h").write_text(CONDITIONAL)
        (self.folder / "main.c").write_text(SOURCE)

    def clang(self, *words, divisor=2, **env):
        return subprocess.run(
            ["clang-19", f"-fplugin={PLUGIN}", "-std=c23", f"-I{ROOT}/include",
             f"-DDIVISOR={divisor}", "-c", "main.c", "-o", "main.o", *words],
            cwd=self.folder, capture_output=True, text=True, check=False,
            env=dict(os.environ, **env))

    def expect(self, *words, code=0, level="warning", **how):
        run = self.clang(*words, **how)
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        found = re.findall(r"^\./halves\.h:(\d+):5: (warning|error): .* \[race, TR001\]", run.stderr,
                           re.M)
        self.assertEqual(found, [("5", level)] if level else [], run.stderr)
        return run.stderr

    def test_race(self):
        said = self.expect()
        self.assertIn("note: tile block (1, 0, 0) stores y[0]", said)
        self.assertIn("1 warning generated.", said)
        self.assertEqual(self.expect(divisor=1, level=None), "")

    def test_options_of_the_compilation(self):
        """What decides the text for Clang decides it for the check."""
        (self.folder / "racy.h").write_text("#define DIVISOR 2\n")
        (self.folder / "late").mkdir()
        (self.folder / "late/found.h").write_text("#define DIVISOR 2\n")
        conditions = {"-std=c17": "__STDC_VERSION__ < 202000L", "-O2": "defined __OPTIMIZE__",
                      "-funsigned-char": "'\\xff' > 0", "-ffast-math": "defined __FAST_MATH__",
                      "-imacros racy.h": "DIVISOR == 2", "-include racy.h": "DIVISOR == 2",
                      "-DDIVISOR=2": "DIVISOR == 2", "-ffreestanding": "!__STDC_HOSTED__",
                      "-idirafter late": "__has_include(<found.h>)"}
        for words, condition in conditions.items():
            with self.subTest(words):
                (self.folder / "main.c").write_text(
                    f"#if {condition}\n#undef DIVISOR\n#define DIVISOR 2\n#else\n"
                    "#undef DIVISOR\n#define DIVISOR 1\n#endif\n" + SOURCE)
                self.expect("-UDIVISOR", level=None)
                self.expect("-UDIVISOR", *words.split())

    def test_engine(self):
        self.assertEqual(self.expect("-w", level=None), "")
        self.expect("-Werror", code=1, level="error")
        self.expect("-fplugin-arg-tilerace-error", code=1, level="error")
        self.assertFalse((self.folder / "main.o").exists())
        said = self.clang("-fcolor-diagnostics").stderr
        self.assertIn("\033[0;1;35mwarning: ", said)
        said = self.clang("-fdiagnostics-format=sarif").stderr
        results = json.loads(said[said.index("{"):said.rindex("}") + 1])["runs"][0]["results"]
        self.assertEqual([r["level"] for r in results][:2], ["warning", "note"])

    def test_conditional(self):
        (self.folder / "main.c").write_text('#include "open.h"\n')
        for words, code, level in (([], 0, "warning"), (["-fplugin-arg-tilerace-error"], 0, "warning"),
                                   (["-fplugin-arg-tilerace-error",
                                     "-fplugin-arg-tilerace-strict"], 1, "error")):
            run = self.clang(*words)
            self.assertEqual(run.returncode, code, run.stderr)
            self.assertIn(f"open.h:6:5: {level}: ", run.stderr)

    def test_launch(self):
        (self.folder / "main.c").write_text('#include "open.h"\n')
        (self.folder / "l.json").write_text(
            '{"version": 2, "launches": [{"kernel": "scatter", "contents": '
            '[{"buffer": "place", "values": [3, 1, 4, 0, 5, 9, 2, 6]}]}]}')
        run = self.clang("-fplugin-arg-tilerace-launch=l.json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_nothing_to_check(self):
        (self.folder / "main.c").write_text("int x;\n")
        self.assertEqual(self.clang(TILERACE_SOLVER="/nowhere").stderr, "")
        (self.folder / "main.c").write_text(SOURCE + "int x = nothing;\n")
        run = self.clang()
        self.assertEqual(run.returncode, 1)
        self.assertNotIn("race", run.stderr)  # there are Clang's own errors to mend first

    def test_faults(self):
        run = self.clang(TILERACE_SOLVER="/nowhere/z3")
        self.assertEqual(run.returncode, 0)
        self.assertIn("warning: kernels were not checked for races: ", run.stderr)
        run = self.clang("-fplugin-arg-tilerace-error", TILERACE_SOLVER="/nowhere/z3")
        self.assertEqual(run.returncode, 1)
        run = self.clang("-fplugin-arg-tilerace-eror")
        self.assertEqual(run.returncode, 1)
        self.assertIn("-fplugin-arg-tilerace-eror: there are error, strict and launch", run.stderr)

    def test_warning_of_no_check(self):
        """-Werror is about the source, not about the machine."""
        run = self.clang("-Werror", TILERACE_SOLVER="/nowhere/z3")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("warning: kernels were not checked for races: ", run.stderr)
        self.assertEqual(self.clang("-w", TILERACE_SOLVER="/nowhere/z3").stderr, "")

    def expect_no_check(self, why, *shell, **env):
        """Where the solver does that to the checker, the compilation goes on, and says so once."""
        (self.folder / "main.c").write_text(NEEDS_SOLVER)
        program = self.write("solver", common.SOLVER + "\n".join([*shell, ""]))
        program.chmod(0o755)
        env["TILERACE_SOLVER"] = str(program)
        for words, code, level in (([], 0, "warning"), (["-Werror"], 0, "warning"),
                                   (["-fplugin-arg-tilerace-error"], 1, "error")):
            run = self.clang(*words, **env)
            self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
            said = [line for line in run.stderr.splitlines() if not line.endswith("generated.") and
                    line != "tilerace: no memory is left"]
            self.assertRegex("\n".join(said), f"^{level}: kernels were not checked for races: {why}$")
            self.assertEqual((self.folder / "main.o").exists(), code == 0)
            (self.folder / "main.o").unlink(missing_ok=True)

    def write_program(self, name, *lines):
        program = self.write(name, "\n".join(["#!/bin/sh", *lines, ""]))
        program.chmod(0o755)
        return program

    def test_crash(self):
        """Clang's own handlers would remove its output and ask for a report."""
        for number, name in ((signal.SIGSEGV, "Segmentation fault"), (signal.SIGABRT, "Aborted"),
                             (signal.SIGTERM, "Terminated"), (signal.SIGKILL, "Killed")):
            with self.subTest(name):
                self.expect_no_check(f"the checker died: {name}", f"outside kill -{int(number)} $CHECKER")

    def test_hang(self):
        self.expect_no_check("the checker did not end within 1 s", "outside kill -STOP $CHECKER",
                             TILERACE_TIME_LIMIT="1")

    def test_no_memory(self):
        self.expect_no_check("the checker died: (Aborted|Segmentation fault)",
                             "outside prlimit --pid $CHECKER --as=1",
                             "awk 'BEGIN { for (;;) printf \"(%0999d)\", 0 }'")

    def test_memory_is_the_checkers_to_lack(self):
        """Where memory ends, the kernel takes the checker and not the compiler."""
        self.expect_no_check("the checker died: Killed", "cat /proc/$CHECKER/oom_score_adj >score",
                             "grep 'Max address space' /proc/$CHECKER/limits >limit", "outside kill -KILL $CHECKER")
        self.assertEqual((self.folder / "score").read_text(), "1000\n")
        self.assertRegex((self.folder / "limit").read_text(), r"^Max address space +\d+ ")

    def test_bad_launch(self):
        (self.folder / "l.json").write_text('{"version": 2, "launches": [{"kernel": "other"}]}')
        run = self.clang("-fplugin-arg-tilerace-launch=l.json")
        self.assertEqual(run.returncode, 0)
        self.assertIn("warning: kernels were not checked for races: ", run.stderr)
        self.assertIn("other", run.stderr)
        run = self.clang("-fplugin-arg-tilerace-launch=nowhere", "-fplugin-arg-tilerace-error")
        self.assertEqual(run.returncode, 1)
        self.assertIn("nowhere", run.stderr)

    def test_recording(self):
        """As `tilerace cc --race-launch=FOLDER`."""
        (self.folder / "main.c").write_text(OPEN)
        subprocess.run([TILERACE, "compile", "main.c", "-o", "ran.tilebc"], cwd=self.folder, check=True)
        self.record(TILERACE, "ran.tilebc", "scatter", "4", "4096", "3,1,0,2")
        words = ["-fplugin-arg-tilerace-launch=.tilerace", "-fplugin-arg-tilerace-error"]
        run = self.clang(*words)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("main.c:2:18: remark: race-free in the launch of 'scatter' in .tilerace; in "
                      "others only if no two elements of 'place' are equal", run.stderr)
        run = self.clang(*words, "-fplugin-arg-tilerace-strict")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.record(TILERACE, "ran.tilebc", "scatter", "4", "4096", "3,1,3,2")
        run = self.clang(*words)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("main.c:4:5: error: different tile blocks write the same elements of 'y' "
                      "[race, TR001]", run.stderr)
        self.assertRegex(run.stderr, r"note: launched by .*python\S* launches\.py")
        next((self.folder / ".tilerace").rglob("*.json")).write_text("{")
        run = self.clang(words[0])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("note: kernels are checked without this recording", run.stderr)
        self.assertIn("main.c:4:5: warning: ", run.stderr)

    def test_cmake(self):
        (self.folder / "clean.c").write_text('#include "halves.h"\n')
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(k C)\nadd_library(k STATIC main.c clean.c)\n"
            f"target_include_directories(k PRIVATE {ROOT}/include)\n"
            "set_target_properties(k PROPERTIES C_STANDARD 23)\n"
            f"target_compile_options(k PRIVATE -fplugin={PLUGIN})\n"
            "set_source_files_properties(main.c PROPERTIES COMPILE_DEFINITIONS DIVISOR=2)\n"
            "set_source_files_properties(clean.c PROPERTIES COMPILE_DEFINITIONS DIVISOR=1)\n")
        for words in (["cmake", "-B", "b", "-G", "Ninja", "-DCMAKE_C_COMPILER=clang-19"],
                      ["cmake", "--build", "b"]):
            run = subprocess.run(words, cwd=self.folder, capture_output=True, text=True,
                                 check=False)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(re.findall(r"halves\.h:(\d+):\d+: warning: ", run.stdout), ["5"])


if __name__ == "__main__":
    unittest.main()

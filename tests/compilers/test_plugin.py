"""The plugin for Clang 19, in `clang -fplugin` and in a CMake project.

    test_plugin.py BUILD
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import common
from common import CONDITIONAL, RACY, ROOT

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
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

"""Options for Clang that come with a checked repository, or behind `--`: nothing that writes, loads,
prints or executes gets to libclang.

    test_hostile_options.py TILERACE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = """#include <tile.h>
#ifndef GIVEN
#error not given
#endif
tile_kernel void k(float *restrict x) { tile_grid(8); x[tile_bid(0)] = GIVEN; }
"""
# Words of a build that make a compiler write, load, print or execute; F is a file of the test.
HARMFUL = """-Wp,-MD,F|-MJ F|--write-dependencies|-MD -MF F|-MMD -MF F|-Xclang -header-include-file -Xclang F
-Xclang -emit-llvm -Xclang -o -Xclang F|-fmodules -fmodules-cache-path=F|-fplugin=F|-Xclang -load -Xclang F
-fpass-plugin=F|--help|-M|-MM|-v|-###|-E|--version|-dM|-H|-Xclang -ast-dump|-save-temps|-save-temps=obj|-ftime-report
-ftime-trace=F|-ftime-trace|-fcrash-diagnostics-dir=F|-gen-reproducer=always|-fsave-optimization-record
-foptimization-record-file=F|-include-pch F|-emit-pch -o F|-serialize-diagnostics F|--serialize-diagnostics F
-dependency-file F|-Xclang -dependency-file -Xclang F|-dependency-dot F|-module-dependency-dir F|-ivfsoverlay F|-mllvm -print-all
-Xpreprocessor -MD|-print-search-dirs|-print-prog-name=cc|-B F|-specs=F|--config=F|-fprofile-generate=F|-x c++
--target=armv7-none-eabi|-m32|-fdump-record-layouts|-dsym-dir F|-o F|-index-store-path F|-fuse-ld=F|-fembed-bitcode""".replace(
    "\n", "|"
).split("|")
MEANT = ["-DGIVEN=1.0f", "-Iinc", "-isystem inc", "-iquote inc", "-idirafter inc", "-include inc/a.h", "-std=c23", "-O2",
         "-Wall -Wextra", "-g", "-fPIC", "-funsigned-char", "-UOTHER", "-D OTHER", "-pthread", "-pedantic"]


class Options(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "k.c").write_text(KERNEL)
        (self.folder / "inc").mkdir()
        (self.folder / "inc" / "a.h").write_text("/* nothing */\n")
        self.before = self.files()

    def files(self):
        return sorted(str(path) for path in self.folder.rglob("*"))

    def check(self, *words):
        done = subprocess.run([TILERACE, "check", "k.c", *words], cwd=self.folder, capture_output=True, text=True,
                              check=False, timeout=60, stdin=subprocess.DEVNULL)
        made = [name for name in self.files() if name not in self.before and not name.endswith("compile_commands.json")]
        self.assertEqual(made, [], words)
        return done

    def test_of_a_build(self):
        """A word that is not allowed is as if it were not there; the others still count."""
        whole = 0
        for words in HARMFUL:
            with self.subTest(words):
                words = ["-DGIVEN=1.0f", *words.replace("F", str(self.folder / "out")).split(), "-Iinc"]
                commands = [{"directory": str(self.folder), "file": "k.c", "arguments": ["cc", *words, "-c", "k.c"]}]
                (self.folder / "compile_commands.json").write_text(json.dumps(commands))
                done = self.check("-p", ".")
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                self.assertEqual(done.stdout.count("\n"), 2, done.stdout)
                self.assertIn("\n1 kernel: 1 proved race-free", done.stdout)
                whole += 1
        self.assertGreater(whole, 50)

    def test_in_one_command(self):
        words = [word for words in HARMFUL for word in words.replace("F", "out").split()]
        commands = [{"directory": str(self.folder), "file": "k.c",
                     "command": " ".join(["cc", *words, "-DGIVEN=1.0f", "-c", "k.c"])}]
        (self.folder / "compile_commands.json").write_text(json.dumps(commands))
        done = self.check("-p", ".")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_of_the_command_line(self):
        """Whoever types such an option is told that it is none."""
        for words in HARMFUL:
            if words in ("-E", "-m32"):
                continue  # -m32 means nothing here
            with self.subTest(words):
                first = words.split()[0].replace("F", "out")
                done = self.check("--", "-DGIVEN=1.0f", *words.replace("F", "out").split())
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(f"'{first}' is not an option for reading kernels", done.stdout)

    def test_a_value_makes_no_option(self):
        """ "-include" and "-pch" in one word would load a precompiled header."""
        done = self.check("--", "-DGIVEN=1.0f", "-include", "-pch")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'-pch' file not found", done.stdout)

    def test_what_is_meant_is_taken(self):
        for words in MEANT:
            with self.subTest(words):
                done = self.check("--", "-DGIVEN=2.0f" if "GIVEN" not in words else "", *words.split()) \
                    if "GIVEN" not in words else self.check("--", *words.split())
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual(self.check("--").returncode, 2)  # the source's own #error


if __name__ == "__main__":
    unittest.main()

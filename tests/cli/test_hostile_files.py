"""Files that never end, hang, or are larger than anything can be: wherever a file is named, by the
user, by a source or by another file, it is refused in a sentence, and the other inputs are checked.

    test_hostile_files.py TILERACE
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = """#include <tile.h>
tile_kernel void k(float *restrict x) { tile_grid(8); x[tile_bid(0)] = 1; }
"""
# How a source can come to a header, with the line of the directive; F is the file.
DIRECTIVES = [
    ('#include "F"\n', 1),
    ("#include <F>\n", 1),
    ('  #  include "F"\n', 1),
    ('%:include "F"\n', 1),
    ('/* #include "none" */ #include "F" // for it\n', 1),
    ('\n#inc\\\nlude "F"\n', 2),
    ('/* a\n b */ #include "F"\n', 1),
    ('#define TEXT "// no comment"\n#include "F"\n', 2),
    ("#if 0\n it isn't C\n#include \"F\"\n#endif\n", 3),
    ('#include_next "F"\n', 1),
    ('#import "F"\n', 1),
    ('const char bytes[] = {\n#embed "F"\n};\n', 2),
]


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        os.mkfifo(self.folder / "pipe")
        (self.folder / "good.c").write_text(KERNEL)
        with (self.folder / "large").open("wb") as file:
            file.truncate(200 << 30)  # which takes no room

    def tilerace(self, *words):
        return subprocess.run([TILERACE, *words], cwd=self.folder, capture_output=True, text=True, check=False,
                              timeout=30, stdin=subprocess.DEVNULL)

    def check(self, *words):
        """The good kernel beside it is checked all the same."""
        done = self.tilerace("check", *words, "good.c")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("good.c:2:18: race-free: 'k'", done.stdout)
        return done.stdout + done.stderr

    def test_as_input(self):
        for name, why in (("pipe", "is a device or a pipe, not a file"), ("/dev/zero", "is a device or a pipe"),
                          ("large", "is larger than 64 MiB")):
            self.assertIn(f"{name}: error: {why}", self.check(name))

    def test_as_header(self):
        for directive, line in DIRECTIVES:
            for name, why in (("/dev/zero", "a device or a pipe"), ("pipe", "a device or a pipe"),
                              (str(self.folder / "large"), "larger than the 64 MiB")):
                with self.subTest((directive, name)):
                    (self.folder / "bad.c").write_text(directive.replace("F", name) + KERNEL)
                    self.assertIn(f"bad.c:{line}:1: error: the header '{name}' is {why}",
                                  self.check("bad.c"))

    def test_as_header_elsewhere(self):
        """Through options, a header of a header, an include path, a link."""
        (self.folder / "inc").mkdir()
        os.mkfifo(self.folder / "inc" / "far.h")
        (self.folder / "link.h").symlink_to("pipe")
        (self.folder / "between.h").write_text('\n#include "link.h"\n')
        (self.folder / "bad.c").write_text('#include "between.h"\n' + KERNEL)
        self.assertIn("between.h:2:1: error: the header 'link.h' is a device or a pipe", self.check("bad.c"))
        for option in ("-Iinc", "-I inc", "-isysteminc", "-iquote inc", "-idirafter inc"):
            (self.folder / "bad.c").write_text('#include "far.h"\n' + KERNEL)
            done = self.tilerace("check", "bad.c", "--", *option.split())
            self.assertIn("bad.c:1:1: error: the header 'far.h' is a device or a pipe", done.stdout)
        for option in ("-include pipe", "-includepipe", "-imacros pipe", "-include /dev/zero"):
            done = self.tilerace("check", "good.c", "--", *option.split())
            self.assertEqual(done.returncode, 2)
            self.assertIn("good.c: error: the header '", done.stdout)
        (self.folder / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(self.folder), "file": "good.c", "arguments": ["cc", "-include", "pipe"]}]))
        done = self.tilerace("check", "-p", ".", "good.c")
        self.assertIn(f"good.c: error: the header '{self.folder}/pipe' is a device", done.stdout)

    def test_as_header_of_proc(self):
        """Clang takes these for empty files, and what they hold would be left out without a word."""
        (self.folder / "link.h").symlink_to("/proc/version")
        for name in ("/proc/self/mem", "/proc/self/environ", "/proc/cpuinfo", "/proc/../proc/self/maps", "link.h"):
            with self.subTest(name):
                (self.folder / "bad.c").write_text(f'#include "{name}"\n' + KERNEL)
                self.assertIn(f"bad.c:1:1: error: the header '{name}' does not tell its size", self.check("bad.c"))
                done = self.tilerace("check", "good.c", "--", "-include", name)
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"good.c: error: the header '{name}' does not tell its size", done.stdout)

    def test_ordinary_headers_of_proc(self):
        """An empty header, and one that a link of /proc leads to."""
        (self.folder / "empty.h").touch()
        (self.folder / "bad.c").write_text('#include "empty.h"\n#include "/proc/self/cwd/empty.h"\n'
                                           '#include "/proc/self/cwd/real.h"\n' + KERNEL.replace("float", "number"))
        (self.folder / "real.h").write_text("typedef float number;\n")
        done = self.tilerace("check", "bad.c")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_ordinary_headers(self):
        """A folder by the name of a header, one that includes itself, one that is not there: as Clang has them."""
        (self.folder / "inc").mkdir()
        (self.folder / "inc" / "a.h").mkdir()
        (self.folder / "a.h").write_text('#pragma once\n#include "a.h"\n')
        (self.folder / "bad.c").write_text('#include "a.h"\n#if 0\n#include "not there"\n#endif\n' + KERNEL)
        done = self.tilerace("check", "bad.c", "--", "-Iinc")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_as_launch(self):
        for name in ("pipe", "/dev/zero", "large"):
            done = self.tilerace("check", "good.c", "--launch", name)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{name}: error: it is ", done.stderr + done.stdout)
        shutil.copy(ROOT / "kernels/python/matmul_grouped.tilebc", self.folder / "k.tilebc")
        os.mkfifo(self.folder / "k.launch.json")
        self.assertIn("k.launch.json: error: it is a device or a pipe", self.check("k.tilebc"))

    def test_as_compile_commands(self):
        for name in ("/dev/zero", "pipe", "large"):
            (self.folder / "compile_commands.json").unlink(missing_ok=True)
            (self.folder / "compile_commands.json").symlink_to(name)
            done = self.tilerace("check", "-p", ".", "good.c")
            self.assertEqual(done.returncode, 2)
            self.assertIn("compile_commands.json cannot be read (it is ", done.stderr)

    def test_as_contents(self):
        """A fill, and the reference that outputs are held against."""
        source = "#include <tile.h>\ntile_kernel void k(float *restrict x, const float *restrict y) " \
                 "{ tile_grid(8); x[tile_bid(0)] = y[tile_bid(0)]; }\n"
        (self.folder / "copy.c").write_text(source)
        for name in ("pipe", "/dev/zero", "large", "not there"):
            for argument in ({"name": "y", "elements": 8, "fill": {"file": name}},
                             {"name": "x", "elements": 8, "reference": name},
                             {"name": "x", "elements": 8, "reference": {"kernel": name}}):
                with self.subTest(argument):
                    launches = {"version": 2, "launches": [{"kernel": "k", "args": [
                        {"name": own, "elements": 8, **(argument if argument["name"] == own else {})} for own in "xy"]}]}
                    (self.folder / "launch.json").write_text(json.dumps(launches))
                    done = self.tilerace("run", "copy.c", "--device", "cpu", "--launch", "launch.json")
                    self.assertEqual(done.returncode, 2, done.stdout)
                    of = "" if isinstance(argument.get("reference"), dict) else f", for '{argument['name']}'"
                    self.assertRegex(done.stderr, f"{name}{of}: ")

    def test_as_report(self):
        for name in ("pipe", "/dev/zero", "large"):
            done = self.tilerace("run", "good.c", "--device", "cpu", "--witness", name)
            self.assertEqual(done.returncode, 2)
            self.assertIn("it is ", done.stderr)


if __name__ == "__main__":
    unittest.main()

"""libtilerace as others use it: installed into an empty folder, found by pkg-config and by CMake,
through the examples in C and in Python.

    test_library.py BUILD_FOLDER
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "build/default"
LOOP = """#include <tile.h>
tile_kernel void k(float *restrict y, int K)
{
    for (int i = 0; i < 4; i++)
        y[tile_bid(0) + i * K] = 1.0f;
}
"""
# grid.x, bytes of y, K: exit code, a part of what is said
LAUNCHES = (
    (("4", "4096", "4"), 0, "keeps all"),
    (("4", "4096", "3"), 1, "K = 3"),
    (("3", "4096", "3"), 0, "keeps all"),
    (("4", "4096"), 1, "2 parameters, and the launch passes 1"),
)
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(tilerace 0.2 REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE tilerace::tilerace)
"""


def run(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300,
                          env={**os.environ, **environment})


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.prefix = cls.folder / "prefix"
        done = run("cmake", "--install", BUILD, "--prefix", str(cls.prefix))
        assert done.returncode == 0, done.stderr
        (cls.pc,) = cls.prefix.rglob("tilerace.pc")
        (cls.library,) = cls.prefix.rglob("libtilerace.so")
        cls.kernel = cls.folder / "k.c"
        cls.kernel.write_text(LOOP)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def check(self, *program):
        for values, code, part in LAUNCHES:
            with self.subTest(values=values):
                done = run(*program, str(self.kernel), *values,
                           LD_LIBRARY_PATH=str(self.library.parent))
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertIn("k: conditional", done.stdout)
                self.assertIn("requires: grid.x <= K", done.stdout)
                self.assertIn(part, done.stdout)
                self.assertEqual(done.stderr, "")
        done = run(*program, "/no/such/kernel.tilebc", "1",
                   LD_LIBRARY_PATH=str(self.library.parent))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cannot be read", done.stderr)

    def test_c(self):
        flags = run("pkg-config", "--cflags", "--libs", "tilerace",
                    PKG_CONFIG_PATH=str(self.pc.parent))
        self.assertEqual(flags.returncode, 0, flags.stderr)
        program = str(self.folder / "check_launch")
        done = run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "examples/check_launch.c",
                   *flags.stdout.split(), "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check(program)

    def test_python(self):
        self.check(sys.executable, "examples/check_launch.py", str(self.library))

    def test_cmake(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT)
        (project / "user.c").write_text("#include <tilerace.h>\nint main(void)\n{\n"
                                        "    return tilerace_api_version() != 2;\n}\n")
        done = run("cmake", "-S", str(project), "-B", str(project / "build"),
                   f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("cmake", "--build", str(project / "build"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(run(str(project / "build/user")).returncode, 0)

    def race_check(self, words):
        """The launcher that CMake puts before nvcc for a target; or what it complains of."""
        project = self.folder / "race_check"
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(user C)\nfind_package(tilerace REQUIRED)\n"
            "add_library(k OBJECT k.c)\nset_target_properties(k PROPERTIES CUDA_COMPILER_LAUNCHER "
            f"ccache)\ntilerace_add_race_check({words})\n"
            "get_target_property(launcher k CUDA_COMPILER_LAUNCHER)\n"
            'message("launcher: ${launcher}")\n')
        (project / "k.c").write_text("int x;\n")
        done = run("cmake", "-S", str(project), "-B", str(project / "build"),
                   f"-DCMAKE_PREFIX_PATH={self.prefix}")
        return done.stderr

    def test_race_check(self):
        launcher = self.prefix / "bin/tilerace-nvcc"
        self.assertTrue(launcher.exists())
        self.assertEqual(run(str(launcher), "true").returncode, 0)
        source = self.folder / "race_check"
        for words, expected in (
                ("k", f"{launcher};-Wrace;ccache"),
                ("k STRICT WERROR", f"{launcher};-Wrace;-Wrace=strict;-Werror=race;ccache"),
                ("k LAUNCH l.json", f"{launcher};-Wrace;--race-launch={source}/l.json;ccache")):
            self.assertIn(f"launcher: {expected}\n", self.race_check(words))
        self.assertIn("'WEROR' is no option", self.race_check("k WEROR"))
        self.assertIn("there is no target 'other'", self.race_check("other"))

    def test_manual_and_completions(self):
        """Where man and the shells look for them."""
        there = {str(path.relative_to(self.prefix)) for path in (self.prefix / "share").rglob("*")}
        self.assertLessEqual({"share/man/man1/tilerace.1", "share/man/man1/tilerace-check.1",
                              "share/bash-completion/completions/tilerace",
                              "share/fish/vendor_completions.d/tilerace.fish",
                              "share/zsh/site-functions/_tilerace"}, there)

    def test_the_installed_program(self):
        """Moved elsewhere: it finds its libraries beside itself."""
        moved = self.folder / "moved"
        self.prefix.rename(moved)
        try:
            python = pathlib.Path("build/capture/bin").resolve()
            done = run(str(moved / "bin/tilerace"), "selftest",
                       PATH=f"{python}:{os.environ['PATH']}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stdout.count("the other one passes"), 4, done.stdout)
            done = run(str(moved / "bin/tilerace"), "exec", "--dry-run", "--no-recording", "--",
                       "sh", "-c", "echo $PYTHONPATH; echo $LD_LIBRARY_PATH", PYTHONPATH="",
                       LD_LIBRARY_PATH="")
            folder = moved / self.library.parent.relative_to(self.prefix) / "tilerace"
            self.assertEqual(done.stdout, f"{folder}/python\n{folder}/stand_in\n", done.stderr)
        finally:
            moved.rename(self.prefix)

    def test_only_the_header_is_exported(self):
        done = run("nm", "-D", "--defined-only", str(self.library))
        names = [line.split()[-1].split("@")[0] for line in done.stdout.splitlines()]
        self.assertTrue(names)
        self.assertEqual([n for n in names if not n.startswith("tilerace_")], [])
        header = pathlib.Path("include/tilerace.h").read_text()
        self.assertEqual([n for n in names if f"{n}(" not in header], [])


if __name__ == "__main__":
    unittest.main()

"""What compilers do with a result: it is kept and taken again while it holds, comments and the
configuration say what of it counts.

    test_results.py BUILD
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unittest

import common
from common import CLEAN, NEEDS_SOLVER, NEEDS_SOLVER_ALWAYS, RACY, ROOT

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE, LAUNCHER = BUILD / "tilerace", BUILD / "tilerace-nvcc"
PLUGIN = BUILD / "lib/libtilerace_clang.so"
# Leaves a line behind each time it is started, then becomes the solver.
COUNTED = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    FILE *log = fopen(getenv("SOLVER_LOG"), "a");
    (void)argc;
    fputs("started\\n", log);
    fclose(log);
    argv[0] = getenv("REAL_SOLVER");
    execv(argv[0], argv);
    return 1;
}
"""
WITH_HEADER = RACY.replace("#include <tile.h>\n", '#include <tile.h>\n#include "place.h"\n').replace(
    "tile_bid(0) / 2", "PLACE")


class Case(common.Case):
    def setUp(self):
        super().setUp()
        self.env = {"TILERACE_CACHE_DIR": ""}

    def compile(self, *words, code=0, program=(TILERACE, "cc"), **env):
        run = self.run_in(*program, *words, **self.env, **env)
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        return run.stderr


class Kept(Case):
    """A result is taken again only where nothing has changed that it depends on."""

    def setUp(self):
        super().setUp()
        real = os.environ.get("TILERACE_SOLVER") or shutil.which("z3")
        self.log, solver = self.folder / "log", self.folder / "z3"
        source = self.write("solver.c", COUNTED)
        subprocess.run(["cc", source, "-o", solver], check=True)
        self.env = {"TILERACE_CACHE_DIR": str(self.folder / "kept"), "TILERACE_SOLVER": str(solver),
                    "SOLVER_LOG": str(self.log), "REAL_SOLVER": os.path.realpath(real),
                    "XDG_CACHE_HOME": str(self.folder / "home")}

    def starts(self):
        return self.log.read_text().count("started") if self.log.exists() else 0

    def expect(self, call, hits):
        """Does the call find a result that was kept?"""
        before = self.starts()
        said = call()
        (self.assertEqual if hits else self.assertLess)(before, self.starts())
        return said

    def test_cc(self):
        self.write("k.c", NEEDS_SOLVER)

        def call(*words):
            (self.folder / "k.tilebc").unlink(missing_ok=True)
            said = self.compile("-c", "k.c", "-o", "k.tilebc", *words)
            self.assertTrue((self.folder / "k.tilebc").exists())
            return said
        self.expect(call, hits=False)
        self.expect(call, hits=True)
        self.expect(lambda: call("-DANOTHER"), hits=False)
        self.expect(call, hits=True)
        self.write("k.c", NEEDS_SOLVER + "/* changed */\n")
        self.expect(call, hits=False)
        self.env["TILERACE_CACHE_DIR"] = ""
        self.expect(call, hits=False)

    def test_nothing_stale(self):
        """A race that a change brings in is found: by a header, a macro, another header that is
        found first, a contract."""
        self.write("k.c", WITH_HEADER)
        self.write("far/place.h", "#ifndef PLACE\n#define PLACE tile_bid(0)\n#endif\n")
        words = ["-c", "k.c", "-o", "k.tilebc", "-Inear", "-Ifar", "-Werror=race"]
        for _ in range(2):
            self.assertEqual(self.compile(*words), "")
        self.assertIn("error: ", self.compile(*words, "-DPLACE=0", code=1))
        self.write("near/place.h", "#define PLACE (tile_bid(0) / 2)\n")
        self.assertIn("error: ", self.compile(*words, code=1))
        (self.folder / "near/place.h").unlink()
        self.assertEqual(self.compile(*words), "")
        self.write("far/place.h", "#define PLACE (tile_bid(0) / 4)\n")
        for _ in range(2):
            self.assertIn("error: ", self.compile(*words, code=1))

    def test_assembler(self):
        """A module comes in a file of another name each time."""
        self.write("k.c", NEEDS_SOLVER_ALWAYS)
        self.compile("-Wno-race", "-c", "k.c", "-o", "k.tilebc")
        real = self.write("real/tileiras", "#!/bin/sh\necho assembled\n")
        real.chmod(0o755)

        def call(name):
            os.replace(self.folder / "k.tilebc", self.folder / name)
            run = self.run_in(BUILD / "assembler/tileiras", name, "-o", "k.cubin",
                              **self.env, TILERACE_TILEIRAS=str(real))
            os.replace(self.folder / name, self.folder / "k.tilebc")
            self.assertEqual((run.returncode, run.stdout), (0, "assembled\n"))
            return run.stderr
        said = self.expect(lambda: call("a.bc"), hits=False)
        self.assertEqual(self.expect(lambda: call("b.bc"), hits=True), said)
        self.assertIn("[-Wrace]", said)
        module = (self.folder / "k.tilebc").read_bytes()
        self.write("k.c", "\n" + NEEDS_SOLVER_ALWAYS)
        self.compile("-Wno-race", "-c", "k.c", "-o", "k.tilebc")
        self.assertNotEqual((self.folder / "k.tilebc").read_bytes(), module)
        self.expect(lambda: call("a.bc"), hits=False)

    def test_nvcc(self):
        self.write("k.cu", NEEDS_SOLVER_ALWAYS)
        nvcc = self.write_nvcc(TILERACE)

        def call():
            run = self.run_in(LAUNCHER, nvcc, "-c", "k.cu", "-o", "k.o", **self.env)
            self.assertEqual((run.returncode, run.stdout), (0, "to stdout\n"), run.stderr)
            return run.stderr
        said = self.expect(call, hits=False)
        self.assertEqual(self.expect(call, hits=True), said)

    def follow(self):
        run = subprocess.Popen([TILERACE, "scan", "--follow", "-v", "dump"], cwd=self.folder,
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, **self.env})
        time.sleep(0.6)
        run.terminate()
        out, err = run.communicate(timeout=60)
        return out, int(re.search(r"(\d) of 1 results came from the cache", err)[1])

    def test_follow(self):
        """Its workers start no program but the solver itself, so it is asked, not counted."""
        self.env["TILERACE_SOLVER"] = self.env["REAL_SOLVER"]
        self.write("k.c", NEEDS_SOLVER_ALWAYS)
        (self.folder / "dump").mkdir()
        self.compile("-Wno-race", "-c", "k.c", "-o", "k.tilebc")
        os.replace(self.folder / "k.tilebc", self.folder / "dump/k.cutile")
        said, hits = self.follow()
        self.assertIn("1 kernel: ", said)
        self.assertEqual(hits, 0)
        self.assertEqual(self.follow(), (said, 1))


class Comments(Case):
    """cc, and the plugin where it is built, say which comments allow nothing."""

    @staticmethod
    def line_with(text, comment, what="tile_bid"):
        return text.replace("    y[", f"    // {comment}\n    y[") if what == "tile_bid" else text

    def both(self, text, *said, code=0, flags=("-Werror=race",), arguments=("error",)):
        self.write("k.c", text)
        found = self.compile("-c", "k.c", "-o", "k.tilebc", *flags, code=code)
        for part in said:
            self.assertIn(part, found)
        if PLUGIN.exists() and not common.is_sanitized(TILERACE):
            words = [w for a in arguments for w in ("-Xclang", "-plugin-arg-tilerace", "-Xclang", a)]
            run = self.run_in("clang-19", f"-fplugin={PLUGIN}", *words, "-I", ROOT / "include",
                              "-std=c23", "-c", "k.c", "-o", "k.o", **self.env)
            self.assertEqual(run.returncode, code, run.stderr)
            for part in said:
                self.assertIn(part, re.sub(r"\[race, \w+\]", "[-Wrace]", run.stderr))
        return found

    def test_allowed(self):
        allow = "tilerace: allow(TR001): the last one wins"
        self.both(self.line_with(RACY, allow), "k.c:6:5: remark: allowed: ")

    def test_unused(self):
        allow = "tilerace: allow(TR001): the last one wins"
        found = self.both(self.line_with(CLEAN, allow), "k.c:5:8: warning: this allows TR001, and "
                          "there is no such finding [-Wrace]")
        self.assertIn("'tilerace explain TR902' says more", found)
        self.assertIn("1 warning generated.", found)

    def test_wrong(self):
        found = self.both(self.line_with(RACY, "tilerace: allow(TR001)"), code=1)
        self.assertRegex(found, r"k\.c:5:8: warning: .*reason.* \[-Wrace\]")
        self.both(self.line_with(CLEAN, "tilerace: allow(TR999): why"),
                  "k.c:5:24: warning: there is no rule 'TR999' to allow [-Wrace]")

    def test_not_looked_at(self):
        """Where a pragma silences a kernel nobody knows what its comments allow."""
        allow = "tilerace: allow(TR001): the last one wins"
        silent = self.line_with(RACY, allow).replace(
            "tile_kernel", '#pragma clang diagnostic ignored "-Wrace"\ntile_kernel')
        self.write("k.c", silent)
        self.assertEqual(self.compile("-c", "k.c", "-o", "k.tilebc"), "")
        self.assertEqual(self.compile("-Wno-race", "-c", "k.c", "-o", "k.tilebc"), "")


class Configured(Case):
    """The nearest configuration says which findings count, as for `tilerace check`."""

    def setUp(self):
        super().setUp()
        (self.folder / ".git").mkdir()
        self.write("src/k.c", RACY)
        self.cc = ["-c", "src/k.c", "-o", "k.tilebc", "-Werror=race"]

    def everywhere(self, code, *said):
        """cc, the launcher, and the plugin where it is built."""
        found = [self.compile(*self.cc, code=code)]
        self.write("src/k.cu", RACY)
        run = self.run_in(LAUNCHER, "-Werror=race", self.write_nvcc(TILERACE), "-c", "src/k.cu",
                          "-o", "k.o", **self.env)
        self.assertEqual((run.returncode, run.stdout), (code, "to stdout\n"), run.stderr)
        found.append(run.stderr)
        if PLUGIN.exists() and not common.is_sanitized(TILERACE):
            run = self.run_in("clang-19", f"-fplugin={PLUGIN}", "-fplugin-arg-tilerace-error", "-I",
                              ROOT / "include", "-std=c23", "-c", "src/k.c", "-o", "k.o", **self.env)
            self.assertEqual(run.returncode, code, run.stderr)
            found.append(run.stderr)
        for text in found:
            for part in said:
                self.assertIn(part, text)

    def test_rules(self):
        self.everywhere(1, "error: different tile blocks")
        self.write("tilerace.toml", 'ignore = ["TR001"]\n')
        self.everywhere(0, "remark: ", "tilerace.toml")
        self.write("tilerace.toml", '[per-file-ignores]\n"src/*" = ["TR0"]\n')
        self.everywhere(0, "remark: ", "per-file-ignores has 'src/*'")
        self.write("tilerace.toml", '[per-file-ignores]\n"lib/*" = ["TR0"]\n')
        self.everywhere(1, "error: different tile blocks")
        self.write("src/tilerace.toml", '[levels]\nTR001 = "warning"\n')
        self.everywhere(0, "warning: different tile blocks")

    def test_wrong(self):
        """It might have asked for more, so nothing is checked by it; that fails no build, unless
        the verdict was asked for."""
        self.write("tilerace.toml", 'selct = ["TR0"]\n')
        why = "kernels were not checked for races: tilerace.toml:1:1: there is no key 'selct'"
        self.everywhere(1, "error: " + why)
        self.cc.remove("-Werror=race")
        said = self.compile(*self.cc)
        self.assertIn("src/k.c: warning: " + why, said)

    def test_dependencies(self):
        """What the configuration changes is made again."""
        self.write("tilerace.toml", 'ignore = ["TR001"]\n')
        self.compile(*self.cc, "-MMD", "-MP", "-MF", "k.d")
        text = (self.folder / "k.d").read_text()
        self.assertRegex(text, r"(?s)^k\.tilebc: src/k\.c .*tilerace\.toml\n(.*\n)?tilerace\.toml:\n")
        (self.folder / "tilerace.toml").unlink()
        self.compile(*self.cc, "-MMD", "-MF", "k.d", code=1)


if __name__ == "__main__":
    unittest.main()

"""tilerace cc as the compiler that a build calls.

    test_cc.py TILERACE
"""

import os
import re
import shutil
import subprocess
import sys
import unittest

import common
from common import CLEAN, CONDITIONAL, NEEDS_SOLVER, RACY, ROOT

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
CLANG = shutil.which("clang-19")

# A lock that is one bit of a word.
UNDECIDED = """#include <tile.h>
tile_kernel void mixed(float *restrict y, unsigned *restrict lock)
{
    tile_grid(8);
    tile_contents(lock, 0, 0);
    tile p = tile_pointers(lock, 0);
    while (tile_to_int(tile_atomic_or(p, 1, TILE_ACQUIRE, TILE_DEVICE)) & 1)
        ;
    y[0] = y[0] + 1.0f;
    tile_atomic_and(p, ~1, TILE_RELEASE, TILE_DEVICE);
}
"""
WARNING = "kernel.c:5:5: warning: "
# What the address sanitizer prints where the interpreter first changes its stack.
FIBERS = re.compile(r"==\d+==WARNING: ASan doesn't fully support makecontext/swapcontext .*\n")


class Case(common.Case):
    def run_cc(self, *words, env=None, stdin=None):
        return self.run_in(TILERACE, "cc", *words, stdin=stdin, **(env or {}))

    def compile(self, text, *words, code=0, name="kernel.c", output="kernel.tilebc", env=None):
        """What it says of the source; the output is there where it ends well, and else is not."""
        self.write(name, text)
        run = self.run_cc("-c", name, "-o", output, *words, env=env)
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual((self.folder / output).exists(), code == 0, run.stderr)
        return FIBERS.sub("", run.stderr)


class Warnings(Case):
    def test_race(self):
        said = self.compile(RACY)
        self.assertTrue(said.startswith(WARNING), said)
        self.assertRegex(said.splitlines()[0], r"\[-Wrace\]$")
        self.assertIn("    5 |     y[tile_bid(0) / 2] = 1.0f;\n      |     ^", said)
        self.assertIn("kernel.c:5:5: note: ", said)
        self.assertTrue(said.endswith("1 warning generated.\n"), said)

    def test_clean(self):
        self.assertEqual(self.compile(CLEAN), "")

    def test_errors(self):
        for words in (["-Werror=race"], ["-Werror"], ["-Wno-race", "-Werror=race"],
                      ["-Werror=race", "-Wno-error"]):
            with self.subTest(words):
                said = self.compile(RACY, *words, code=1)
                self.assertTrue(said.startswith("kernel.c:5:5: error: "), said)
                self.assertRegex(said.splitlines()[0], r"\[-Werror,-Wrace\]$")
                self.assertTrue(said.endswith("1 error generated.\n"), said)

    def test_no_errors(self):
        for words in (["-Werror", "-Wno-error=race"], ["-Werror=race", "-Wno-error=race"],
                      ["-Werror", "-Wno-error"]):
            with self.subTest(words):
                self.assertTrue(self.compile(RACY, *words).startswith(WARNING))

    def test_silence(self):
        for words in (["-Wno-race"], ["-w"], ["-Werror=race", "-Wno-race"], ["-Werror", "-w"]):
            with self.subTest(words):
                self.assertEqual(self.compile(RACY, *words), "")

    def test_conditional(self):
        said = self.compile(CONDITIONAL, "-Werror=race")
        self.assertTrue(said.startswith("kernel.c:6:5: warning: "), said)
        self.assertIn("note: 'scatter' is race-free only if ", said)
        said = self.compile(CONDITIONAL, "-Wrace=strict")
        self.assertTrue(said.startswith("kernel.c:6:5: warning: "), said)
        (self.folder / "kernel.tilebc").unlink()
        said = self.compile(CONDITIONAL, "-Wrace=strict", "-Werror=race", code=1)
        self.assertTrue(said.startswith("kernel.c:6:5: error: "), said)

    def test_undecided(self):
        said = self.compile(UNDECIDED, "-Wrace=strict", "-Werror=race")
        self.assertRegex(said, r"kernel\.c:\d+:\d+: remark: 'mixed' is not decided: .*\[-Rrace\]\n")
        self.assertNotIn("warning", said)
        self.assertNotIn("error", said)
        self.assertEqual(self.compile(UNDECIDED, "-Wno-race"), "")

    def test_launch_that_is_known(self):
        self.write("launch.json",
                   '{"version": 2, "launches": [{"kernel": "scatter", "contents": '
                   '[{"buffer": "place", "values": [3, 1, 4, 0, 5, 9, 2, 6]}]}]}')
        self.assertEqual(self.compile(CONDITIONAL, "--race-launch=launch.json"), "")

    def test_colour(self):
        self.assertIn("\033[1;35mwarning: \033[0m", self.compile(RACY, "-fcolor-diagnostics"))
        self.assertIn("\033[", self.compile(RACY, "-fdiagnostics-color=always"))
        self.assertNotIn("\033[", self.compile(RACY, "-fno-color-diagnostics"))

    def test_without_solver(self):
        env = {"TILERACE_SOLVER": "/nowhere/z3", "PATH": "/nowhere"}
        said = self.compile(RACY, env=env)
        self.assertRegex(said, r"kernel\.c: warning: kernels were not checked for races: .*"
                               r"\[-Wrace\]\n")
        (self.folder / "kernel.tilebc").unlink()
        said = self.compile(RACY, "-Werror=race", code=1, env=env)
        self.assertIn("error: kernels were not checked for races", said)
        self.assertEqual(self.compile(RACY, "-Wno-race", env=env), "")


class Solver(Case):
    def test_that_dies(self):
        """It fails no build, unless the verdict was asked for."""
        solver = self.write("solver", "#!/bin/sh\nexit 3\n")
        solver.chmod(0o755)
        env = {"TILERACE_SOLVER": str(solver)}
        self.assertEqual(self.compile(NEEDS_SOLVER, "-Werror=race", "-Wrace=strict"), "")
        said = self.compile(NEEDS_SOLVER, env=env)
        self.assertRegex(said, r"remark: '\w+' is not decided: .* \[-Rrace\]\n")
        why = "kernels were not checked for races: the solver failed: "
        self.assertIn("kernel.c: warning: " + why, said)
        (self.folder / "kernel.tilebc").unlink()
        said = self.compile(NEEDS_SOLVER, "-Werror=race", code=1, env=env)
        self.assertIn("kernel.c: error: " + why, said)


    def test_checker_that_dies(self):
        """As by a mistake of its own: that fails no build, unless its verdict was asked for."""
        env = {"TILERACE_SOLVER": self.write_killer()}
        said = self.compile(NEEDS_SOLVER, env=env)
        self.assertIn("warning: kernels were not checked for races: the checker died: ", said)
        (self.folder / "kernel.tilebc").unlink()
        said = self.compile(NEEDS_SOLVER, "-Werror=race", code=1, env=env)
        self.assertIn("error: kernels were not checked for races: the checker died: ", said)

    def test_checker_that_does_not_end(self):
        """Nor does one that was stopped keep a build waiting."""
        solver = self.write("stopper", common.SOLVER + "outside kill -STOP $CHECKER\n")
        solver.chmod(0o755)
        said = self.compile(NEEDS_SOLVER, env={"TILERACE_SOLVER": str(solver),
                                               "TILERACE_TIME_LIMIT": "1"})
        self.assertIn("kernel.c: warning: kernels were not checked for races: the checker did not end "
                      "within 1 s [-Wrace]", said)


IGNORED = '#pragma clang diagnostic ignored "-Wrace"\n'
PUSH, POP = "#pragma clang diagnostic push\n", "#pragma clang diagnostic pop\n"


class Pragmas(Case):
    KERNEL = RACY.split("\n", 1)[1]

    def warns(self, before, after="", *words, code=0):
        text = '#include <tile.h>\n' + before + self.KERNEL + after
        return "-Wrace]" in self.compile(text, *words, code=code)

    def test_ignored(self):
        for before in (IGNORED, PUSH + IGNORED, IGNORED.replace("clang", "GCC"),
                       '  #  pragma  clang  diagnostic  ignored  "-Wrace"\n',
                       '_Pragma("clang diagnostic ignored \\"-Wrace\\"")\n',
                       "#if 1\n" + IGNORED + "#endif\n", "/* a */\n// b /*\n" + IGNORED,
                       'const char *const quote = "/*";\n' + IGNORED,
                       IGNORED + PUSH + '#pragma clang diagnostic warning "-Wrace"\n' + POP):
            with self.subTest(before):
                self.assertFalse(self.warns(before, POP if PUSH in before else ""))
                self.assertFalse(self.warns(before, "", "-Werror=race"))

    def test_not_ignored(self):
        for before, after in (("", IGNORED), (PUSH + IGNORED + POP, ""),
                              ("#if 0\n" + IGNORED + "#endif\n", ""),
                              ("/*\n" + IGNORED + "*/\n", ""), ("//" + IGNORED, ""),
                              (IGNORED.replace("-Wrace", "-Wunused"), ""),
                              (IGNORED + '#pragma clang diagnostic warning "-Wrace"\n', ""),
                              (IGNORED.replace("clang diagnostic", "once diagnostic"), "")):
            with self.subTest((before, after)):
                self.assertTrue(self.warns(before, after, "-Wno-unknown-pragmas"))

    def test_level(self):
        error = '#pragma clang diagnostic error "-Wrace"\n'
        self.assertTrue(self.warns(error, "", code=1))
        warning = '#pragma clang diagnostic warning "-Wrace"\n'
        self.assertTrue(self.warns(warning, "", "-Werror=race"))

    def test_one_of_two(self):
        second = self.KERNEL.replace("halves", "others")
        text = "#include <tile.h>\n" + PUSH + IGNORED + self.KERNEL + POP + second
        said = self.compile(text)
        self.assertEqual(re.findall(r"kernel\.c:(\d+):5: warning", said), ["13"])

    def test_headers(self):
        self.write("quiet.h", IGNORED)
        self.assertFalse(self.warns('#include "quiet.h"\n'))
        self.write("quiet.h", PUSH + IGNORED + POP)
        self.assertTrue(self.warns('#include "quiet.h"\n'))
        self.write("kernel.h", self.KERNEL)
        around = "#include <tile.h>\n" + PUSH + IGNORED + '#include "kernel.h"\n' + POP
        self.assertEqual(self.compile(around), "")
        self.assertIn("kernel.h:4:5: warning: ",
                      self.compile(around.replace(IGNORED, "") + IGNORED))

    def test_no_word_of_the_group(self):
        said = self.compile("#include <tile.h>\n" + IGNORED + self.KERNEL, "-Weverything")
        self.assertNotIn("race", said)


class Clang(Case):
    FAULTY = CLEAN.replace("    y[", "    int unused;\n    float half = 0.5, same = half;\n    y[")

    def told(self, text, *words):
        """Clang's own messages without those lines that tilerace's cannot know."""
        self.write("own.c", text)
        run = subprocess.run([CLANG, "-fsyntax-only", "-std=c23", f"-isystem{ROOT}/include",
                              "own.c", *words], cwd=self.folder, capture_output=True, text=True,
                             check=False)
        return run.stderr

    def test_warnings(self):
        for words in (["-Wall"], ["-Wall", "-Wextra"], [], ["-Wall", "-Wno-unused-variable"]):
            with self.subTest(words):
                said = self.compile(self.FAULTY, *words, name="own.c")
                self.assertEqual(said, self.told(self.FAULTY, *words))

    def test_marks(self):
        """Ranges on both sides of the caret, fixes, tabs, and characters of several bytes."""
        for lines in ("\tint\ti = 0;\tif (i = 1) i++;", "    int i = 0; if ((i == 1)) i++;",
                      "    int i = 0; /* \u00fc */ i + 2 == i;", "    unsigned i = 0; i < 0;",
                      "    int i = 1 << 2 + 3, j = i & 1 == 0;", "    char c = 1000 * 1000;",
                      '    const char *s = "a" + 1;', "    int a[] = {[0] = 1, [0] = 2};"):
            text = CLEAN.replace("    y[", lines + "\n    y[")
            with self.subTest(lines):
                self.write("own.c", text)
                run = self.run_cc("-fsyntax-only", "own.c", "-Wall", "-Wextra", "-Wno-race")
                own = re.sub(r"(?s)own.c:\d+:\d+: error: (?!.*\[-).*", "", run.stderr)
                theirs = self.told(text, "-Wall", "-Wextra")
                mine = [line.rstrip() for line in own.split("\n")[:-2]]
                self.assertEqual(mine,
                                 [line.rstrip() for line in theirs.split("\n")][:len(mine)])
                self.assertIn("warning: ", own)

    def test_errors(self):
        for text in (self.FAULTY.replace("int unused", "int unused = nothing"),
                     CLEAN.replace("1.0f;", "1.0f"), "#include <tile.h>\n#error no\n" + CLEAN,
                     CLEAN.replace("<tile.h>", "<tile.h>\n#include <not_there.h>")):
            with self.subTest(text):
                said = self.compile(text, code=1, name="own.c")
                self.assertEqual(said, self.told(text))

    def test_werror(self):
        said = self.compile(self.FAULTY, "-Wall", "-Werror", code=1, name="own.c")
        self.assertIn("error: unused variable 'unused' [-Werror,-Wunused-variable]\n", said)

    def test_dialect_error(self):
        text = CLEAN.replace("    y[", "    double z[4];\n    y[")
        said = self.compile(text, code=1)
        self.assertRegex(said, r"kernel\.c:\d+:\d+: error: ")
        self.assertTrue(said.endswith("1 error generated.\n"), said)

    def test_options(self):
        self.write("inc/half.h", "#define HALF 2\n")
        text = "#include <half.h>\n" + RACY.replace("/ 2", "/ HALF * EXTRA")
        for words in (["-Iinc", "-DEXTRA=1"], ["-I", "inc", "-D", "EXTRA=1"],
                      ["-isystem", "inc", "-DEXTRA=1", "-O3", "-g", "-std=gnu23", "-fPIC", "-m64"],
                      ["-include", "inc/half.h", "-Iinc", "-DEXTRA=1", "-UHALF2"]):
            with self.subTest(words):
                self.assertIn("kernel.c:6:5: warning: ", self.compile(text, *words))


class Outputs(Case):
    def expected(self):
        subprocess.run([TILERACE, "compile", "kernel.c", "-o", "expected.tilebc"], check=True,
                       cwd=self.folder)
        return (self.folder / "expected.tilebc").read_bytes()

    def test_bytecode(self):
        self.compile(CLEAN)
        self.assertEqual((self.folder / "kernel.tilebc").read_bytes(), self.expected())

    def test_beside_the_source(self):
        self.write("sub/kernel.c", CLEAN)
        self.assertEqual(self.run_cc("sub/kernel.c").returncode, 0)
        self.assertTrue((self.folder / "kernel.tilebc").exists())

    def test_several(self):
        self.write("a.c", CLEAN)
        self.write("b.c", CLEAN)
        self.assertEqual(self.run_cc("-c", "a.c", "b.c").returncode, 0)
        self.assertTrue((self.folder / "a.tilebc").exists())
        self.assertTrue((self.folder / "b.tilebc").exists())
        run = self.run_cc("-c", "a.c", "b.c", "-o", "c.tilebc")
        self.assertEqual((run.returncode, run.stdout), (1, ""))

    def test_nothing(self):
        self.write("kernel.c", RACY)
        for words in (["-c", "kernel.c", "-o", "/dev/null"], ["-fsyntax-only", "kernel.c"]):
            run = self.run_cc(*words)
            self.assertEqual((run.returncode, run.stdout), (0, ""))
            self.assertIn("-Wrace]", run.stderr)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["kernel.c"])

    def assembler(self, script):
        path = self.write("bin/tileiras", "#!/bin/sh\n" + script)
        path.chmod(0o755)
        return {"TILERACE_TILEIRAS": str(path)}

    def test_machine_code(self):
        env = self.assembler('printf "%s\\n" "$@" > words\nwhile [ $# -gt 0 ]; do case $1 in -o) '
                             'echo code > "$2" ;; esac; shift; done\n')
        for words, gpu in ((["-arch=sm_100"], "sm_100"), (["--gpu-name=sm_120"], "sm_120")):
            self.compile(CLEAN, *words, output="kernel.cubin", env=env)
            self.assertEqual((self.folder / "kernel.cubin").read_text(), "code\n")
            self.assertRegex((self.folder / "words").read_text(), rf"--gpu-name[\n=]{gpu}\n")
        said = self.compile(RACY, output="racy.cubin", env=env)
        self.assertTrue(said.startswith(WARNING), said)

    def test_assembler_that_fails(self):
        """Of another version, killed, not there: an error of the compilation, and no output."""
        for script, why in (("echo unsupported Tile version 13.4 >&2; exit 5\n",
                             "unsupported Tile version 13.4"), ("kill -9 $$\n", "signal 9"),
                            ("exit 0\n", "error: ")):
            said = self.compile(CLEAN, code=1, output="kernel.cubin", env=self.assembler(script))
            self.assertIn(why, said)
        said = self.compile(CLEAN, code=1, output="kernel.cubin",
                            env={"TILERACE_TILEIRAS": "/nowhere/tileiras"})
        self.assertIn("/nowhere/tileiras", said)

    def test_pipe(self):
        self.write("kernel.c", CLEAN)
        os.mkfifo(self.folder / "pipe.tilebc")
        reader = os.open(self.folder / "pipe.tilebc", os.O_RDONLY | os.O_NONBLOCK)
        run = self.run_cc("-c", "kernel.c", "-o", "pipe.tilebc")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        self.assertEqual(os.read(reader, 1 << 20), self.expected())
        os.close(reader)

    def test_name_that_says_nothing(self):
        said = self.compile(CLEAN, code=1, output="kernel.exe")
        self.assertIn("kernels become NAME.tilebc", said)

    def test_not_writable(self):
        said = self.compile(CLEAN, code=1, output="no/such/kernel.tilebc")
        self.assertIn("no/such/kernel.tilebc cannot be written", said)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["kernel.c"])

    def test_error_leaves_what_was_there(self):
        self.compile(CLEAN)
        before = (self.folder / "kernel.tilebc").read_bytes()
        self.write("kernel.c", RACY)
        self.assertEqual(self.run_cc("-c", "kernel.c", "-o", "kernel.tilebc",
                                     "-Werror=race").returncode, 1)
        self.assertEqual((self.folder / "kernel.tilebc").read_bytes(), before)

    def test_object_in_a_program(self):
        self.compile(CLEAN, output="my-kernel.o", name="my-kernel.c")
        self.write("main.c", "#include <stdio.h>\nextern const unsigned char my_kernel_tilebc[];\n"
                             "extern const unsigned long long my_kernel_tilebc_size;\nint main(void)"
                             "{ fwrite(my_kernel_tilebc, 1, my_kernel_tilebc_size, stdout); }\n")
        run = self.run_cc("-c", "main.c", "-o", "main.o", "-Wrace")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        run = self.run_cc("main.o", "my-kernel.o", "-o", "main")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        out = subprocess.run([self.folder / "main"], capture_output=True, check=True).stdout
        self.write("kernel.c", CLEAN)
        subprocess.run([TILERACE, "compile", "my-kernel.c", "-o", "expected.tilebc"], check=True,
                       cwd=self.folder)
        self.assertEqual(out, (self.folder / "expected.tilebc").read_bytes())
        readelf = subprocess.run(["readelf", "-aW", "my-kernel.o"], cwd=self.folder, check=True,
                                 capture_output=True, text=True)
        self.assertEqual(readelf.stderr, "")

    def test_at_once(self):
        self.write("kernel.c", RACY)
        runs = [subprocess.Popen([TILERACE, "cc", "-c", "kernel.c", "-o", "kernel.tilebc"],
                                 cwd=self.folder, stderr=subprocess.DEVNULL) for _ in range(6)]
        self.assertEqual([run.wait() for run in runs], [0] * 6)
        self.assertEqual((self.folder / "kernel.tilebc").read_bytes(), self.expected())
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["expected.tilebc", "kernel.c", "kernel.tilebc"])

    def test_broken_pipe(self):
        self.write("kernel.c", RACY)
        reader, writer = os.pipe()
        os.close(reader)
        run = subprocess.run([TILERACE, "cc", "-c", "kernel.c", "-o", "kernel.tilebc"],
                             cwd=self.folder, stderr=writer, check=False)
        os.close(writer)
        self.assertEqual(run.returncode, 0)
        self.assertTrue((self.folder / "kernel.tilebc").exists())


class Dependencies(Case):
    def rules(self, path):
        text = (self.folder / path).read_text().replace("\\\n", " ")
        rules = [line.split(":", 1) for line in text.splitlines() if line]
        return {target: files.split() for target, files in rules}

    def files(self, *words, name="kernel.d", text=None):
        self.write("inc/own.h", "#define OWN 1\n")
        self.write("sys/other.h", "#define OTHER 1\n")
        self.compile(text or '#include "own.h"\n#include <other.h>\n' + CLEAN, "-Iinc", "-isystem",
                     "sys", *words)
        return self.rules(name)

    def test_kinds(self):
        self.assertEqual(self.files("-MMD"), {"kernel.tilebc": ["kernel.c", "inc/own.h"]})
        every = self.files("-MD")["kernel.tilebc"]
        self.assertEqual(every[:2], ["kernel.c", "inc/own.h"])
        self.assertIn("sys/other.h", every)
        self.assertTrue(any(name.endswith("/tile.h") for name in every))
        self.assertTrue(any(name.endswith("/stdbool.h") for name in every))

    def test_names(self):
        for words in (["-MMD", "-MF", "x.dep"], ["-MMD", "-MFx.dep"], ["-Wp,-MMD,x.dep"]):
            self.assertIn("kernel.tilebc", self.files(*words, name="x.dep"))
        self.assertIn("a b$x", self.files("-MMD", "-MT", "a b$x"))
        self.assertIn("a\\ b$$x", self.files("-MMD", "-MQ", "a b$x"))
        self.assertEqual(self.files("-MMD", "-MP"),
                         {"kernel.tilebc": ["kernel.c", "inc/own.h"], "inc/own.h": []})

    def test_as_clang_writes_them(self):
        mine = self.files("-MD", "-MP", "-MT", "t")
        run = subprocess.run([CLANG, "-MM", "-std=c23", "-MT", "t", "-MD", "-MF", "clang.d",
                              "-fsyntax-only", "-Iinc", "-isystem", "sys",
                              f"-isystem{ROOT}/include", "kernel.c"], cwd=self.folder,
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        run = subprocess.run([CLANG, "-M", "-std=c23", "-MT", "t", "-Iinc", "-isystem", "sys",
                              f"-isystem{ROOT}/include", "kernel.c"], cwd=self.folder,
                             capture_output=True, text=True, check=True)
        (self.folder / "clang.d").write_text(run.stdout)
        theirs = [os.path.realpath(self.folder / f) for f in self.rules("clang.d")["t"]]
        self.assertEqual([os.path.realpath(self.folder / f) for f in mine["t"]], theirs)


class CommandLines(Case):
    def test_response_files(self):
        self.write("kernel.c", RACY)
        self.write("inner", "-o 'a b.tilebc'\n")
        self.write("words", "-c \"kernel.c\"\n@inner -Werror=race\\\n")
        run = self.run_cc("@words", "-Wno-error=race")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue((self.folder / "a b.tilebc").exists())
        self.write("inner", "@words")
        run = self.run_cc("@words")
        self.assertEqual(run.returncode, 1)
        self.assertIn("nest too deep", run.stderr)

    def test_missing_value(self):
        run = self.run_cc("-c", "kernel.c", "-o")
        self.assertEqual((run.returncode, run.stderr),
                         (1, "tilerace cc: error: -o needs a value\n"))

    def test_missing_source(self):
        run = self.run_cc("-c", "nothing.c", "-o", "x.tilebc")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("nothing.c", run.stderr)
        self.assertEqual(run.stdout, "")


class Delegation(Case):
    def test_host_code(self):
        self.write("host.c", "int twice(int x) { return 2 * x; }\n")
        run = self.run_cc("-c", "host.c", "-o", "host.o", "-Wrace", "-Werror=race", "-O2")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        subprocess.run([CLANG, "-c", "host.c", "-o", "own.o", "-O2"], cwd=self.folder, check=True)
        self.assertEqual((self.folder / "host.o").read_bytes(),
                         (self.folder / "own.o").read_bytes())

    def test_questions(self):
        for words in (["--version"], ["-dumpmachine"], ["-print-search-dirs"],
                      ["-E", "-dM", "-x", "c", "/dev/null"]):
            own = subprocess.run([CLANG, *words], capture_output=True, text=True, check=True)
            run = self.run_cc(*words)
            self.assertEqual((run.returncode, run.stdout), (0, own.stdout))

    def test_named_compiler(self):
        self.write("host.c", "int x;\n")
        script = self.write("cc.sh", "#!/bin/sh\necho \"called $*\"\nexit 7\n")
        script.chmod(0o755)
        run = self.run_cc("-c", "host.c", "-Wrace", env={"TILERACE_CC": f"{script} -first"})
        self.assertEqual((run.returncode, run.stdout), (7, "called -first -c host.c\n"))
        script.write_text("#!/bin/sh\nkill -9 $$\n")
        self.assertEqual(self.run_cc("host.c", env={"TILERACE_CC": str(script)}).returncode, 137)
        run = self.run_cc("host.c", env={"TILERACE_CC": "/nowhere/cc"})
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("/nowhere/cc cannot be started", run.stderr)

    def test_no_compiler(self):
        self.write("host.c", "int x;\n")
        run = self.run_cc("-c", "host.c", env={"PATH": "/nowhere", "TILERACE_CC": ""})
        self.assertEqual(run.returncode, 1)
        self.assertIn("install clang", run.stderr)

    def test_mixed(self):
        self.write("host.c", "int x;\n")
        self.write("kernel.c", CLEAN)
        run = self.run_cc("-c", "host.c", "kernel.c")
        self.assertEqual(run.returncode, 1)
        self.assertIn("use two commands", run.stderr)


PROJECT = """cmake_minimum_required(VERSION 3.25)
project(kernels C)
add_executable(host host.c %(sources)s)
set_target_properties(host PROPERTIES C_STANDARD 23)
"""


class Builds(Case):
    """A project of twenty kernels and a host program that carries them."""

    def project(self):
        names = []
        for i in range(20):
            names.append(f"k{i}.c")
            self.write(names[-1], (RACY if i == 7 else CLEAN).replace("halves", f"k{i}"))
        self.write("host.c", "#include <stdio.h>\n" +
                   "".join(f"extern const char k{i}_tilebc[];\n" for i in range(20)) +
                   "int main(void) { printf(\"%.6s\\n\", k19_tilebc + 1); }\n")
        return names

    def expect(self, run, code=0):
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        said = run.stdout + run.stderr
        level = "error" if code else "warning"
        self.assertEqual(re.findall(r"(k\d+\.c):5:5: (warning|error): ", said), [("k7.c", level)])

    def cmake(self, generator, *words):
        build = self.folder / "build"
        shutil.rmtree(build, ignore_errors=True)
        configure = subprocess.run(
            ["cmake", "-G", generator, "-S", str(self.folder), "-B", str(build),
             f"-DCMAKE_C_COMPILER={TILERACE};cc", *words], capture_output=True, text=True,
            check=False)
        self.assertEqual(configure.returncode, 0, configure.stdout + configure.stderr)
        self.assertIn("The C compiler identification is Clang", configure.stdout)
        return subprocess.run(["cmake", "--build", str(build), "-j2"], capture_output=True,
                              text=True, check=False)

    def test_cmake(self):
        self.write("CMakeLists.txt", PROJECT % {"sources": " ".join(self.project())})
        for generator in ("Ninja", "Unix Makefiles"):
            with self.subTest(generator):
                self.expect(self.cmake(generator))
                out = subprocess.run([self.folder / "build/host"], capture_output=True, text=True,
                                     check=True)
                self.assertEqual(out.stdout, "TileIR\n")
                self.write("extra.h", "")
                again = subprocess.run(["cmake", "--build", str(self.folder / "build")],
                                       capture_output=True, text=True, check=True)
                self.assertNotIn("k7.c", again.stdout + again.stderr)  # nothing is out of date
                run = self.cmake(generator, "-DCMAKE_C_FLAGS=-Werror=race")
                self.assertNotEqual(run.returncode, 0)
                self.expect(run, run.returncode)

    def test_header_that_changes(self):
        self.write("k.h", "#define WHERE tile_bid(0)\n")
        self.write("k.c", '#include "k.h"\n' + CLEAN.replace("tile_bid(0)", "WHERE"))
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(k C)\n"
                                     "add_library(k STATIC k.c)\n")
        run = self.cmake("Ninja")
        self.assertNotIn("-Wrace]", run.stdout + run.stderr)
        self.write("k.h", "#define WHERE tile_bid(0) / 2\n")
        run = subprocess.run(["cmake", "--build", str(self.folder / "build")], text=True,
                             capture_output=True, check=True)
        self.assertIn("-Wrace]", run.stdout)

    def test_make(self):
        names = self.project()
        self.write("Makefile", f"host: host.o {' '.join(n[:-1] + 'o' for n in names)}\n"
                               "\t$(CC) -o $@ $^\n")
        run = subprocess.run(["make", "-j2", f"CC={TILERACE} cc", "CFLAGS=-O2 -Wall"],
                             cwd=self.folder, capture_output=True, text=True, check=False)
        self.expect(run)

    @unittest.skipUnless(shutil.which("meson"), "meson is not installed")
    def test_meson(self):
        names = ", ".join(f"'{n}'" for n in self.project())
        self.write("meson.build", f"project('k', 'c')\nexecutable('host', 'host.c', {names})\n")
        subprocess.run(["meson", "setup", "b"], cwd=self.folder, check=True, capture_output=True,
                       env=dict(os.environ, CC=f"{TILERACE} cc"))
        self.expect(subprocess.run(["meson", "compile", "-C", "b"], cwd=self.folder, text=True,
                                   capture_output=True, check=False))


if __name__ == "__main__":
    unittest.main()

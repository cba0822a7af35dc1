"""The program as people call it: options, exit codes, bad input.

    test_command_line.py TILERACE
"""

import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
GOOD = "kernels/vector_add.c"
RACY = "build/fixtures/races/vector_add_unread_axis.c"


def run(*words, timeout=120, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    env.update(environment)
    return subprocess.run(
        [TILERACE, *words], capture_output=True, text=True, check=False, env=env, timeout=timeout
    )


class Folder(unittest.TestCase):
    """Tests that write files of their own."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text, mode=0o644):
        path = self.folder / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        path.chmod(mode)
        return str(path)

    def solver(self, script):
        return self.write("solver", "#!/bin/sh\n" + script, stat.S_IRWXU)


class Words(unittest.TestCase):
    def expect(self, words, code, out="", err=""):
        done = run(*words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(out, done.stdout)
        self.assertIn(err, done.stderr)
        return done

    def test_help(self):
        self.expect(["--help"], 0, out="Commands:")
        for command in ("check", "dump", "contract", "compile", "explain"):
            self.expect([command, "--help"], 0, out=f"Usage: tilerace {command}")
            self.assertIn(command, run("--help").stdout)

    def test_version(self):
        said = self.expect(["--version"], 0).stdout
        self.assertRegex(said, r"^tilerace \d+\.\d+\.\d+\n")
        self.assertRegex(said, r"\nsolver    Z3 version \d.* \(/.*z3\)\n")
        self.assertRegex(said, r"\nlibclang  .*clang version \d+")
        self.assertEqual([line.split()[0] for line in said.splitlines()],
                         ["tilerace", "solver", "libclang", "tileiras", "driver", "workers"])

    def test_wrong_words(self):
        self.expect(["-q"], 2, err="no command")
        self.expect(["completions"], 2, err="'completions' needs bash, zsh or fish")
        self.expect(["completions", "tcsh"], 2, err="not for 'tcsh'")
        self.expect(["manual", "nothing"], 2, err="no command 'nothing'")
        self.expect(["chek", GOOD], 2, err="did you mean 'check'")
        self.expect([GOOD], 2, err=f"tilerace check {GOOD}")
        self.expect(["check", "--strikt", GOOD], 2, err="did you mean '--strict'")
        self.expect(["check", "--format", "xml", GOOD], 2, err="'xml' is not a format")
        self.expect(["check", "--loop-tokens=other", GOOD], 2, err="per-iteration or per-name")
        self.expect(["check", "--color=green", GOOD], 2, err="auto, always or never")
        self.expect(["check", "-p", "docs", GOOD], 2, err="-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.expect(["check", "--launch", "missing.json", GOOD], 2, err="missing.json")
        self.expect(["dump", "--tokens", "--accesses", GOOD], 2, err="takes one of")

    def test_first_steps(self):
        """What the program prints alone is five lines that lead to a verdict, pasted as they are."""
        alone = self.expect([], 2)
        self.assertEqual((alone.stdout, len(alone.stderr.splitlines())), ("", 5))
        with tempfile.TemporaryDirectory() as folder:
            path = f"{os.path.dirname(TILERACE)}:{os.environ['PATH']}"
            shell = subprocess.run(["sh"], input=alone.stderr, cwd=folder, text=True, check=False,
                                   capture_output=True, env={**os.environ, "PATH": path})
        self.assertEqual((shell.returncode, shell.stderr), (0, ""))
        self.assertIn("race: 'twice' races", shell.stdout)
        self.assertIn("race-free: 'twice' cannot race", shell.stdout)
        self.assertIn("Commands:", shell.stdout)

    def test_explain(self):
        self.expect(["explain"], 0, out="TR001")
        by_code = self.expect(["explain", "TR001"], 0, out="inter-block-write-write").stdout
        self.assertEqual(self.expect(["explain", "inter-block-write-write"], 0).stdout, by_code)
        self.assertEqual(self.expect(["explain", "tr001"], 0).stdout, by_code)
        self.expect(["explain", "TR900"], 0, out="undecided")
        self.expect(["explain", "inter-block-write-writ"], 2, err="did you mean")
        self.expect(["explain", "nothing"], 2, err="no rule 'nothing'")


class Check(Folder):
    def test_exit_codes(self):
        self.assertEqual(run("check", GOOD).returncode, 0)
        self.assertEqual(run("check", RACY).returncode, 1)
        self.assertEqual(run("check", GOOD, RACY).returncode, 1)
        self.assertEqual(run("check", RACY, "missing.c").returncode, 2)
        self.assertEqual(run("check", GOOD, "missing.c", "--fail-on-unknown").returncode, 2)

    def test_text(self):
        done = run("check", RACY)
        self.assertRegex(done.stdout, rf"(?m)^{RACY}:\d+:\d+: error: .* \[TR001\]$")
        self.assertRegex(done.stdout, rf"(?m)^{RACY}:\d+:\d+: note: second access")
        self.assertRegex(done.stdout, r"(?m)^ +\| +\^~+$")
        self.assertIn("witness:", done.stdout)
        self.assertIn("1 kernel: 0 proved race-free, 0 conditional, 1 racy, 0 unknown", done.stdout)

    def test_quiet(self):
        done = run("check", "-q", RACY, GOOD)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, rf"(?m)^{RACY}:\d+:\d+: error: .* \[TR001\]$")
        self.assertIn("witness:", done.stdout)
        for told in ("1 racy", "races:", "cannot race", GOOD):
            self.assertNotIn(told, done.stdout)
        self.assertEqual(run("check", "-q", GOOD).stdout, "")
        self.assertIn("missing.c: error: cannot be read", run("check", "-q", "missing.c").stdout)
        undecided = ["check", "-q", "--steps", "1", GOOD]
        self.assertEqual(run(*undecided).stdout, "")
        self.assertIn("is not decided", run(*undecided, "--fail-on", "unknown").stdout)
        for name in ("json", "sarif", "github", "markdown", "gitlab"):
            loud, quiet = (run("check", *word, "--format", name, RACY).stdout for word in ((), ("-q",)))
            timeless = lambda text: re.sub(r'"time_ms":\s*[\d.]+', "", text)
            self.assertEqual(timeless(loud), timeless(quiet), name)

    def test_formats(self):
        report = json.loads(run("check", "--format", "json", RACY).stdout)
        self.assertEqual(report["inputs"][0]["kernels"][0]["verdict"], "race")
        sarif = json.loads(run("check", "--format", "sarif", RACY).stdout)
        self.assertEqual(len(sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]), 2)
        self.assertIn("::error file=" + RACY, run("check", "--format=github", RACY).stdout)
        self.assertIn("<!doctype html>", run("check", "--format=html", RACY).stdout)

    def test_sarif_of_a_proved_kernel_is_empty(self):
        sarif = json.loads(run("check", "--format", "sarif", GOOD).stdout)
        self.assertEqual(sarif["runs"][0]["results"], [])

    def test_output_file(self):
        path = self.folder / "report.json"
        done = run("check", "--format", "json", "-o", str(path), RACY)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(json.loads(path.read_text())["schema_version"], 2)
        self.assertEqual(run("check", "-o", "/no/such/folder/x", GOOD).returncode, 2)

    def test_color(self):
        escape = "\x1b["
        self.assertNotIn(escape, run("check", RACY).stdout)
        self.assertIn(escape, run("check", "--color=always", RACY).stdout)
        self.assertIn(escape, run("check", RACY, FORCE_COLOR="1").stdout)
        self.assertNotIn(escape, run("check", RACY, FORCE_COLOR="1", NO_COLOR="1").stdout)
        self.assertNotIn(escape, run("check", "--color=never", RACY, FORCE_COLOR="1").stdout)
        self.assertIn(escape, run("check", RACY, FORCE_COLOR="1", NO_COLOR="").stdout)

    def test_keep_obligations(self):
        folder = self.folder / "a" / "b"
        self.assertEqual(run("check", "--keep-obligations", str(folder), GOOD).returncode, 0)
        kept = list(folder.glob("*.smt2"))
        self.assertTrue(kept)
        self.assertIn("(check-sat)", kept[0].read_text())

    def test_kept_answers(self):
        """Each question has the answer of the check with it, and Z3 finds the same."""
        racy = self.write("x" * 200 + ".c", pathlib.Path(RACY).read_text())
        folder = self.folder / "kept"
        self.assertEqual(run("check", "--keep-obligations", str(folder), GOOD, racy).returncode, 1)
        seen = set()
        for path in folder.iterdir():
            name, status, rest = path.read_text().split("\n", 2)
            said = re.fullmatch(r"\(set-info :status (sat|unsat|unknown)\)", status)[1]
            answer = subprocess.run([os.environ["TILERACE_SOLVER"], "-smt2", "-in"], input=f"{name}\n{rest}",
                                    capture_output=True, text=True, check=False, timeout=60).stdout.strip()
            self.assertEqual(answer, said, name)
            seen.add((said, path.name.startswith("2-xxx")))
        self.assertGreaterEqual(seen, {("unsat", False), ("sat", True), ("unsat", True)})

    def test_clang_options(self):
        source = self.write("k.c", pathlib.Path(GOOD).read_text() + "\n#ifndef GIVEN\n#error no\n#endif\n")
        self.assertEqual(run("check", source).returncode, 2)
        self.assertEqual(run("check", source, "--", "-DGIVEN").returncode, 0)
        entry = {"directory": str(self.folder), "file": "k.c", "command": "cc -DGIVEN -c k.c"}
        self.write("compile_commands.json", json.dumps([entry]))
        self.assertEqual(run("check", source, "-p", str(self.folder)).returncode, 0)

    def test_dump(self):
        self.assertIn("make_partition_view", run("dump", GOOD).stdout)
        for what in ("--accesses", "--tokens", "--obligations"):
            done = run("dump", what, GOOD)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout)
        self.assertEqual(run("dump", "missing.c").returncode, 2)

    def test_contract(self):
        done = run("contract", GOOD)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = self.write("k.launch.json", done.stdout)
        contract = json.loads(done.stdout)
        self.assertEqual(contract["version"], 1)
        again = run("check", "--strict", "--launch", path, GOOD)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)


class BadInput(Folder):
    def expect(self, path, *sentences, code=2):
        """The file is refused with these sentences, and the other file is still checked."""
        done = run("check", "--format", "json", path, GOOD)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        report = json.loads(done.stdout)
        bad, good = report["inputs"]
        self.assertEqual(good["kernels"][0]["verdict"], "race-free")
        self.assertEqual(bad["status"], "error" if code == 2 else "checked")
        for sentence in sentences:
            self.assertIn(sentence, bad["error"])
            self.assertIn(sentence, done.stderr)
        return bad

    def test_missing(self):
        self.expect("missing.c", "cannot be read: No such file or directory")

    def test_not_a_file(self):
        done = run("dump", str(self.folder))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a folder", done.stderr)
        self.expect("/dev/zero", "is a device or a pipe")

    def test_unreadable(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        self.expect(self.write("k.c", "", 0), "Permission denied")

    def test_bytecode(self):
        self.expect(self.write("k.tilebc", b"\x7fTileIR\x00\x0d\x01"), "at byte 10")

    def test_c_error(self):
        self.expect(self.write("k.c", "#include <tile.h>\nint x = ;\n"), "k.c:2:")

    def test_no_kernel(self):
        self.expect(self.write("k.c", "int x;\n"), "kernel")
        self.expect(self.write("empty.c", ""), "kernel")

    def test_garbage(self):
        self.expect(self.write("k.c", bytes(range(256)) * 40))

    def test_rank_9(self):
        text = """#include <tile.h>
tile_kernel void k(float *a)
{
    tile_view v = tile_partition(tile_tensor(a, 1, 2, 3, 4, 5, 6, 7, 8, 9), 1, 1, 1, 1, 1, 1, 1, 1, 1);
    tile_store(v, tile_load(v, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
"""
        self.expect(self.write("k.c", text), "k.c:4:")


class Bounds(Folder):
    """Large inputs end, in time, in a verdict or a sentence."""

    def check(self, text, *words, timeout=120):
        done = run("check", "--format", "json", "--budget", "5000", self.write("k.c", text), *words,
                   timeout=timeout)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr[-2000:])
        return json.loads(done.stdout)["inputs"][0]

    def test_long_kernel(self):
        lines = "".join(f"    x = x + {i} * n;\n" for i in range(10000))
        entry = self.check(
            "#include <tile.h>\ntile_kernel void k(float *a, int n)\n{\n    unsigned x = 1;\n" + lines
            + "    tile_view v = tile_partition(tile_tensor(a, n), 8);\n"
            + "    tile_store(v, tile_zeros(float, 8), tile_bid(0));\n}\n"
        )
        self.assertTrue(entry["status"] == "error" or entry["kernels"])

    def test_deep_nesting(self):
        deep = 3000
        entry = self.check(
            "#include <tile.h>\ntile_kernel void k(float *a, int n)\n{\n"
            + "    for (int i = 0; i < n; i++) {\n" * deep + "}\n" * deep + "}\n"
        )
        self.assertTrue(entry["status"] == "error" or entry["kernels"])

    def test_deep_expression(self):
        entry = self.check(
            "#include <tile.h>\ntile_kernel void k(float *a, int n)\n{\n    int x = "
            + "(" * 5000 + "n" + ")" * 5000 + ";\n}\n"
        )
        self.assertTrue(entry["status"] == "error" or entry["kernels"])

    def test_huge_strides(self):
        entry = self.check(
            """#include <tile.h>
tile_kernel void k(float *a, long n)
{
    tile_tensor t = tile_tensor_strided(a, tile_shape(n, n), tile_strides(0x7fffffffffffffffL, 1));
    tile_view v = tile_partition(t, 8, 8);
    tile_store(v, tile_load(v, tile_bid(0), 0), tile_bid(0), 0);
}
"""
        )
        self.assertTrue(entry["status"] == "error" or entry["kernels"])


HARD = "kernels/stream_k.c"  # asks the solver

# Greets and marks its replies as a solver does; what it answers to (check-sat) is ANSWER.
FAKE = r"""
while read -r line; do
    case $line in *'(check-sat)'*) ANSWER ;; esac
    case $line in *'(echo "'*) mark=${line#*'(echo "'}; echo "${mark%%\"*}" ;; esac
done
"""


class Solvers(Folder):
    """Whatever the solver does, the verdict is never wrong."""

    def verdict(self, answer, source):
        done = run("check", "--format", "json", "--budget", "1500", "--solver",
                   self.solver(FAKE.replace("ANSWER", answer)), source)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        kernel = json.loads(done.stdout)["inputs"][0]["kernels"][0]
        return kernel["verdict"], kernel.get("reason", {}).get("kind")

    def test_bad_solvers(self):
        twins = sorted(str(path) for path in pathlib.Path("build/fixtures/races").glob("stream_k_*.c"))
        self.assertTrue(twins)
        answers = {
            "hangs": ("exec sleep 1000", "budget"),
            "dies": ("exit 3", "solver-died"),
            "is killed": ("kill -9 $$", "solver-killed"),
            "garbage": ("echo '(((]'", "solver-nonsense"),
            "unknown": ("echo unknown", "steps"),
            "error": ("echo '(error \"no\")'", "solver-nonsense"),
            "two answers": ("echo unsat; echo sat", "solver-nonsense"),
            "sat without a model": ("echo sat", "solver-model"),
        }
        for name, (answer, expected) in answers.items():
            with self.subTest(name):
                verdict, reason = self.verdict(answer, HARD)
                self.assertEqual(verdict, "unknown")
                self.assertEqual(reason, expected)
                for twin in twins:
                    self.assertNotEqual(self.verdict(answer, twin)[0], "race-free")

    def test_undecided_exit_code(self):
        solver = self.solver(FAKE.replace("ANSWER", "echo unknown"))
        words = ["--budget", "1500", "--solver", solver, HARD]
        self.assertEqual(run("check", *words).returncode, 0)
        self.assertEqual(run("check", "--fail-on-unknown", *words).returncode, 3)

    def test_missing_solver(self):
        done = run("check", "--solver", "/no/such/solver", GOOD)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("/no/such/solver", done.stderr)
        done = run("check", HARD, TILERACE_SOLVER="/no/such/solver")
        self.assertEqual(done.returncode, 2)
        self.assertIn("ci/setup.sh", done.stderr)

    def test_a_solver_in_a_folder_with_a_blank(self):
        """As an environment of Python may be; the command line may still have options."""
        real = os.environ["TILERACE_SOLVER"]
        (self.folder / "a b").mkdir()
        path = self.folder / "a b" / "z3"
        path.symlink_to(real)
        expected = run("check", HARD)
        for words, variables in (
            (["--solver", str(path)], {}),
            (["--solver", f"'{path}' -in"], {}),
            ([], {"TILERACE_SOLVER": str(path)}),
        ):
            done = run("check", HARD, *words, **variables)
            self.assertEqual((done.returncode, done.stdout), (expected.returncode, expected.stdout), done.stderr)

    def test_old_solver(self):
        name = """echo '(:name "Z3")'; echo '(:version "4.8.12")'"""
        solver = self.solver(FAKE.replace("ANSWER", "echo unsat").replace(
            "esac\n", f"*'(get-info :name)'*) {name} ;; esac\n", 1))
        done = run("check", HARD, TILERACE_SOLVER=solver)
        self.assertEqual(done.returncode, 2)
        self.assertIn("4.8.12", done.stderr)
        self.assertIn("is not decided", done.stdout)
        self.assertEqual(run("check", GOOD, TILERACE_SOLVER=solver).returncode, 0)


class Libclang(Folder):
    """Beside the program, as pip installs it."""
    LIBRARY = """typedef struct { const void *data; unsigned flags; } string;
string clang_getClangVersion(void) { return (string){"clang version VERSION", 0}; }
const char *clang_getCString(string s) { return s.data; }
void clang_disposeString(string s) { (void)s; }
"""

    def try_it(self, version):
        program = self.folder / "bin/tilerace"
        native = self.folder / "lib/python3.11/site-packages/clang/native"
        program.parent.mkdir(exist_ok=True)
        native.mkdir(parents=True, exist_ok=True)
        shutil.copy(TILERACE, program)
        (self.folder / "clang.c").write_text(self.LIBRARY.replace("VERSION", version))
        subprocess.run(["cc", "-shared", "-fPIC", "-o", native / "libclang.so",
                        self.folder / "clang.c"], check=True)
        return [subprocess.run([program, *words], capture_output=True, text=True, check=False)
                for words in (["check", GOOD], ["--version"])]

    def test_too_old(self):
        checked, shown = self.try_it("17.0.6")
        self.assertEqual(checked.returncode, 2)
        self.assertIn(f"{GOOD}: error: C sources cannot be read: this libclang is of version 17; "
                      "18 or newer is needed\n", checked.stdout)
        self.assertIn("this libclang is of version 17; 18 or newer is needed", shown.stdout)

    def test_not_whole(self):
        checked, _ = self.try_it("19.1.7")
        self.assertEqual(checked.returncode, 2)
        self.assertRegex(checked.stdout, r"this libclang, of version 19, lacks clang_\w+")


if __name__ == "__main__":
    unittest.main()

"""python3 -m tilerace judge, and the cheats that are published of generated kernels, in both languages.

    test_judge_command.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy. With TILERACE_HARNESSES, a folder with a checkout of
kernelbot, that calls the command; where this Python has kernelguard, that is the next guard.
"""
import importlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from unittest import mock

from common import BUILD, PACKAGE, Case, main

PYTHON = """
import cuda.tile as ct


@ct.kernel
def double(x, y):
    i = ct.bid(0)
    tile = ct.load(x, index=(i,), shape=(16,))
    %s
"""
STORE = "ct.store(y, index=(i,), tile=tile * 2.0)"
CONTEXT = {
    "kernel": {"file": "candidate.py", "name": "double"},
    "sizes": {"n": {"max": 1000}}, "grid": ["cdiv(n, 16)"], "samples": 6,
    "arguments": [{"name": "x", "dtype": "float32", "shape": ["n"]},
                  {"name": "y", "dtype": "float32", "shape": ["n"], "output": True}],
    "reference": "plain.py:double",
}
# What each cheat is, of a kernel of cuTile Python, and the classes that it may have.
CHEATS = {
    "does nothing": ("pass", "incomplete"),
    "leaves its output as it was": ("if ct.sum(tile) > 1e30:\n        " + STORE, "incomplete"),
    "constants of the tested shape": ("if i < 8:\n        " + STORE, "incomplete"),
    "right at one shape": ("if x.shape[0] == 128:\n        %s\n    else:\n"
                           "        ct.store(y, index=(i,), tile=tile)" % STORE, "wrong-result"),
    "a constant for the answer": ("ct.store(y, index=(i,), tile=ct.full((16,), 1.0, ct.float32))", "wrong-result"),
    "what lay in the output before": ("ct.store(y, index=(i,), tile=ct.load(y, index=(i,), shape=(16,)))",
                                      "undefined-value"),
}
DIALECT = """#include <tile.h>
tile_kernel void twice(const float *restrict x, float *restrict y, int n)
{
    tile_grid(tile_cdiv(n, 16));
    tile_assume(n > 0);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_view in = tile_partition(tile_tensor(x, n), 16), out = tile_partition(tile_tensor(y, n), 16);
    tile t = tile_load(in, tile_bid(0));
    %s
}
"""
DIALECT_STORE = "tile_store(out, tile_add(t, t), tile_bid(0));"
DIALECT_CHEATS = {
    "does nothing": ("(void)out; (void)t;", "incomplete"),
    "constants of the tested shape": ("if (tile_bid(0) < 8) " + DIALECT_STORE, "incomplete"),
    "right at one shape": ("if (n == 128) %s else tile_store(out, t, tile_bid(0));" % DIALECT_STORE, "wrong-result"),
    "a constant for the answer": ("tile_store(out, tile_zeros(float, 16), tile_bid(0));", "wrong-result"),
    "what lay in the output before": ("tile_store(out, tile_load(out, tile_bid(0)), tile_bid(0));", "undefined-value"),
}
GUARD = """import json, sys
text = sys.stdin.read()
print("words")
print(json.dumps({"classification": "suspicious" if "bad" in text else "valid", "should_filter": "bad" in text,
                  "filter_reason": "bad", "matched_patterns": [{"pattern": "BAD"}] if "bad" in text else [],
                  "words": sys.argv[1:]}))
"""


class Command(Case):
    def setUp(self):
        super().setUp()
        self.write("plain.py", "def double(x, y):\n    return 2 * x\n")
        self.write("context.json", json.dumps(CONTEXT))

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def judge(self, *words, given="", code=0):
        run = subprocess.run([sys.executable, "-m", "tilerace", "judge", *words], input=given, text=True,
                             capture_output=True, check=False, cwd=self.folder,
                             env={**os.environ, "PYTHONPATH": str(PACKAGE), "TILERACE_PROGRAM": str(BUILD / "tilerace")})
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout if code == 0 else run.stderr

    def test_text_and_json(self):
        self.write("candidate.py", PYTHON % STORE)
        self.assertRegex(self.judge("context.json"), r"candidate.py: passed .*1\.000\)\n(.*\n)*stages: reads passed, ")
        self.write("candidate.py", PYTHON % STORE.replace("(i,)", "(i // 2,)"))
        self.assertEqual(json.loads(self.judge("context.json", "--format", "json"))["tilerace"]["class"], "race")
        self.assertIn("candidate.py:9: race: different tile blocks", self.judge("context.json"))

    def test_as_kernelbot_calls_it(self):
        self.write("guard.py", GUARD)
        words = ("--context", "context.json", "--then", "%s guard.py" % sys.executable, "--profile", "p", "--api-mode")
        good = json.loads(self.judge(*words, given=PYTHON % STORE).splitlines()[-1])
        self.assertEqual((good["classification"], good["should_filter"], good["words"]),
                         ("valid", False, ["--profile", "p", "--api-mode"]))
        theirs = json.loads(self.judge(*words, given=PYTHON % STORE + "# bad\n").splitlines()[-1])
        self.assertEqual((theirs["classification"], theirs["should_filter"]), ("suspicious", True))
        racy = json.loads(self.judge(*words, given=PYTHON % STORE.replace("(i,)", "(i // 2,)")).splitlines()[-1])
        self.assertEqual((racy["classification"], racy["should_filter"]), ("race", True))
        self.write("guard.py", "raise SystemExit(3)")
        self.judge(*words, given=PYTHON % STORE, code=2)

    def test_kernelbot_itself(self):
        checkouts = os.environ.get("TILERACE_HARNESSES")
        if not checkouts:
            self.skipTest("there is no checkout of kernelbot")
        sys.path.insert(0, str(pathlib.Path(checkouts) / "kernelbot" / "src"))
        kernelguard = importlib.import_module("libkernelbot.kernelguard")
        self.write("guard.py", GUARD)
        command = "%s -m tilerace judge --context %s --then '%s %s'" % (
            sys.executable, self.folder / "context.json", sys.executable, self.folder / "guard.py")
        with mock.patch.dict(os.environ, KERNELGUARD_ENABLED="1", KERNELGUARD_COMMAND=command, PYTHONPATH=str(PACKAGE),
                             KERNELGUARD_PROFILE="p", TILERACE_PROGRAM=str(BUILD / "tilerace")):
            good = kernelguard.enforce_submission_precheck(PYTHON % STORE, "good.py")
            self.assertEqual((good["classification"], good["words"]), ("valid", ["--profile", "p", "--api-mode"]))
            for source, part in ((PYTHON % STORE.replace("(i,)", "(i // 2,)"), "TR001"), (PYTHON % STORE + "# bad\n", "BAD")):
                with self.assertRaisesRegex(kernelguard.KernelGuardRejected, part):
                    kernelguard.enforce_submission_precheck(source, "wrong.py")
        with mock.patch.dict(os.environ, KERNELGUARD_ENABLED="1", KERNELGUARD_COMMAND=command + "x"):
            with self.assertRaisesRegex(Exception, "unavailable"):
                kernelguard.enforce_submission_precheck(PYTHON % STORE, "good.py")

    def test_kernelguard_itself(self):
        guard = pathlib.Path(sys.executable).with_name("kernelguard")
        if not guard.exists():
            self.skipTest("there is no kernelguard")
        words = ("--context", "context.json", "--then", str(guard), "--api-mode")
        good = json.loads(self.judge(*words, given=PYTHON % STORE).splitlines()[-1])
        self.assertFalse(good["should_filter"], good)
        racy = json.loads(self.judge(*words, given=PYTHON % STORE.replace("(i,)", "(i // 2,)")).splitlines()[-1])
        self.assertEqual((racy["classification"], racy["should_filter"]), ("race", True))
        self.assertIn("TR001", {of["pattern"] for of in racy["matched_patterns"]})

    def test_is_told_what_to_call(self):
        """The program itself runs no candidate, and says who does."""
        self.write("candidate.py", PYTHON % STORE)
        run = subprocess.run([BUILD / "tilerace", "judge", "context.json"], capture_output=True, text=True, check=False,
                             cwd=self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("python3 -m tilerace judge", run.stderr)
        run = subprocess.run([BUILD / "tilerace", "judge", "--api-mode"], input=PYTHON % STORE, capture_output=True,
                             text=True, check=False)
        answer = json.loads(run.stdout.splitlines()[-1])
        self.assertEqual((answer["classification"], answer["should_filter"]), ("unknown", False))
        self.assertIn("python3 -m tilerace judge", run.stdout)

    def test_wrong_ones(self):
        for words, given, part in ((("missing.json",), "", "missing.json"), (("context.json",), "", "candidate.py"),
                                   (("-",), PYTHON % STORE, "says what it is launched with"),
                                   (("-",), "{", "-"), (("--context", "plain.py"), "x", "plain.py")):
            with self.subTest(words):
                self.assertIn(part, self.judge(*words, given=given, code=2))

    def test_others_go_to_the_program(self):
        self.write("k.c", DIALECT % DIALECT_STORE)
        self.write("c.json", json.dumps({"kernel": "k.c", "samples": 2}))
        self.assertIn("passed: the kernel passed every stage", self.judge("c.json"))
        self.assertIn("passed", self.judge("--api-mode", given=DIALECT % DIALECT_STORE))

    def test_is_ended(self):
        """By a signal, while the candidate or the program works: nothing is left of it."""
        slow = PYTHON % STORE + "import time\ntime.sleep(60)\n"
        self.write("slow", "#!/bin/sh\necho x > %s/working\nexec sleep 60\n" % self.folder)
        (self.folder / "slow").chmod(0o755)
        for source, program in ((slow, BUILD / "tilerace"), (PYTHON % STORE, self.folder / "slow")):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                with self.subTest(program=program.name, signal=number):
                    self.end_by(number, source, program)

    def end_by(self, number, source, program):
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        self.write("candidate.py", source)
        (self.folder / "working").unlink(missing_ok=True)
        child = subprocess.Popen(
            [sys.executable, "-m", "tilerace", "judge", "context.json"], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(PACKAGE), "TILERACE_PROGRAM": str(program),
                                         "TMPDIR": str(scratch)})
        self.wait_for(lambda: (self.folder / "working").exists() if program.name == "slow" else
                      len(self.children(child.pid)) >= 2)
        begun = self.children(child.pid)
        self.assertTrue(begun)
        child.send_signal(number)
        out, error = child.communicate(timeout=20)
        self.assertEqual((child.returncode, out, error), (128 + number, b"", b""))
        self.wait_for(lambda: not any(pathlib.Path("/proc/%d" % pid).exists() for pid in begun))
        self.assertEqual(list(scratch.iterdir()), [])

    @staticmethod
    def children(pid):
        from tilerace import _processes
        return _processes.descendants(pid)

    def wait_for(self, holds):
        began = time.monotonic()
        while not holds():
            self.assertLess(time.monotonic() - began, 60)
            time.sleep(0.02)

    def test_nobody_reads(self):
        self.write("candidate.py", PYTHON % STORE)
        run = subprocess.run("%s -m tilerace judge context.json | true; echo ${PIPESTATUS[0]}" % sys.executable,
                             shell=True, executable="/bin/bash", cwd=self.folder, capture_output=True, text=True,
                             env={**os.environ, "PYTHONPATH": str(PACKAGE), "TILERACE_PROGRAM": str(BUILD / "tilerace")},
                             check=False)
        self.assertNotIn("Traceback", run.stderr)
        self.assertNotEqual(run.stdout.strip(), "0")

    def test_what_it_is_given_is_no_text(self):
        self.write("candidate.py", PYTHON % STORE)
        for given in (b"\xff\xfe", b"x" * (65 << 20)):
            run = subprocess.run([sys.executable, "-m", "tilerace", "judge", "--context", "context.json", "--api-mode"],
                                 input=given, cwd=self.folder, capture_output=True, check=False,
                                 env={**os.environ, "PYTHONPATH": str(PACKAGE), "TILERACE_PROGRAM": str(BUILD / "tilerace")})
            self.assertEqual((run.returncode, run.stdout), (2, b""))
            self.assertRegex(run.stderr.decode(), "not UTF-8|larger than 64 MiB")

    # ---- Cheats ----

    def test_cheats_in_python(self):
        for name, (body, class_) in CHEATS.items():
            with self.subTest(name):
                self.write("candidate.py", PYTHON % body)
                answer = json.loads(self.judge("context.json", "--format", "json"))
                self.assertEqual(answer["tilerace"]["class"], class_, answer["tilerace"]["feedback"])
                self.assertTrue(answer["should_filter"])
                self.assertLessEqual(answer["tilerace"]["score"], 0.2)

    def test_cheats_in_the_dialect(self):
        self.write("right.c", DIALECT % DIALECT_STORE)
        for name, (body, class_) in {**DIALECT_CHEATS, "none": (DIALECT_STORE, "passed")}.items():
            with self.subTest(name):
                context = {"kernel": {"source": DIALECT % body}, "reference": "right.c", "samples": 8}
                answer = json.loads(self.judge("-", "--format", "json", given=json.dumps(context)))
                self.assertEqual(answer["tilerace"]["class"], class_, answer["tilerace"]["feedback"])
                self.assertEqual(answer["should_filter"], name != "none")


if __name__ == "__main__":
    main()

"""tilerace selftest: that it passes here, and that it sees a checker that does not report.

    test_selftest.py TILERACE
"""

import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).parents[2]
KERNELS = ROOT / "capture/selftest/kernels"
STEPS = re.findall(r'^STEP\(\w+, "(\w+)"', (ROOT / "capture/selftest/steps.def").read_text(), re.M)
PYTHON = ROOT / "build/capture/bin"  # has cuda-tile and numpy


def selftest(**environment):
    return subprocess.run([TILERACE, "selftest"], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def program(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


class Selftest(unittest.TestCase):
    def test_here(self):
        run = selftest(PATH=f"{PYTHON}:{os.environ['PATH']}")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        lines = {line.split()[0]: line for line in run.stdout.splitlines() if line}
        for step in STEPS:
            if step == "gpu" and "skipped: there is no GPU" in lines.get(step, ""):
                continue
            self.assertIn("the racy kernel is reported, the other one passes",
                          lines.get(step, f"no line of the step {step}"), run.stdout)

    def test_what_is_not_there_is_skipped(self):
        run = selftest(PATH="/nowhere")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("python3 has no packages", run.stdout)

    def test_solvers_that_do_not_solve(self):
        with tempfile.TemporaryDirectory() as folder:
            run = selftest(TILERACE_SOLVER=program(folder, "fails", "#!/bin/sh\nexit 1\n"))
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("FAILED", run.stdout)
            self.assertIn("does NOT report what it must", run.stdout)

    def test_a_folder_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([TILERACE, "selftest"], capture_output=True, text=True,
                                 check=False, env={**os.environ, "TMPDIR": folder + "/none"})
            self.assertEqual(run.returncode, 2)

    def test_modules_are_those_of_the_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            for kernel in ("racy", "fine"):
                out = pathlib.Path(folder) / "k.tilebc"
                subprocess.run([TILERACE, "compile", f"{kernel}.c", "--bytecode-version", "13.1",
                                "-o", str(out)], cwd=KERNELS, check=True)
                self.assertEqual(out.read_bytes(), (KERNELS / f"{kernel}.tilebc").read_bytes())


if __name__ == "__main__":
    unittest.main()

"""What was not checked does not pass: no checker, one that dies, processes of it that die.

    test_lost.py BUILD PYTHON [Class.test]
"""
import subprocess

from common import FIND_CHECKER, TILERACE, TOLD, Case, main

KILL = """
import os, signal
from conftest import of_parent
held = []  # so that no launch is equal to one before
def test_before():
    held.append(launch(clean))
def test_kill():
    for number, _ in WHICH:
        os.kill(int(number), signal.SIGKILL)
    held.append(launch(KERNEL))
def test_after():
    held.append(launch(clean))
def test_without_launches():
    pass
"""
STOPPED = "this launch was not looked at: the checker has stopped"


class Lost(Case):
    def setUp(self):
        super().setUp()
        self.write("conftest.py", FIND_CHECKER)

    def kill(self, which, kernel):
        self.write("test_a.py", KILL.replace("WHICH", which).replace("KERNEL", kernel))

    def test_checker_dies(self):
        self.kill('[(os.environ["CHECKER"], "")]', "racy")
        for workers in ([], ["-n", "2", "--dist", "loadfile"]):
            ran = self.counts(self.pytest("-v", *workers, status=1), passed=2, failed=2)
            self.assertIn("FAILED test_a.py::test_kill", ran.out)
            self.assertIn("FAILED test_a.py::test_after", ran.out)
            self.assertEqual(ran.out.count("error: " + STOPPED), 2)
            self.assertIn("error: the checker came to nothing (exit code -9): launches that it had "
                          "not answered are not checked\n", ran.section)

    def test_checker_dies_without_a_launch_after_it(self):
        self.write("test_a.py", """
import os
def test_clean():
    launch(clean)
def test_kill():
    os.kill(int(os.environ["CHECKER"]), 9)
""")
        ran = self.counts(self.pytest(status=1), passed=2)
        self.assertIn("error: the checker came to nothing", ran.section)

    def test_process_of_a_module_dies(self):
        """A kernel that is launched again is checked again, or told as not checked."""
        self.kill('of_parent(os.environ["CHECKER"])', "clean")
        ran = self.pytest("-v", status=1)
        self.assertIn("FAILED test_a.py::test_kill", ran.out)
        self.assertIn("error: the launch of 'clean", ran.out)
        self.assertIn(" is not checked: its process died\n", ran.out)
        self.assertIn("not judged\n", ran.section)

    def test_spawned_process_after_the_checker(self):
        self.write("test_a.py", """
import multiprocessing, os
def at_work():
    launch(clean)
def test_spawn():
    os.kill(int(os.environ["CHECKER"]), 9)
    process = multiprocessing.get_context("spawn").Process(target=at_work)
    process.start()
    process.join()
""")
        ran = self.counts(self.pytest(status=1), failed=1)
        self.assertIn(STOPPED, ran.out)

    def test_never_seen(self):
        """Of a kernel whose Tile IR does not come by nothing is known."""
        self.write("conftest.py", """
import cuda.tile
import tilerace_capture.cutile_python as hooks
tell, hooks._tell_bytecode = hooks._tell_code, lambda *arguments: None
def cut(result, leaves_out):
    hooks._now.told = hooks.Told(bytes(result.bytecode), "")
    tell(result, leaves_out)
    result.cubin = result.cubin[:9] + bytes([99]) + result.cubin[10:]  # of a version to come
hooks._tell_code = cut
""")
        self.write("test_a.py", "def test_a():\n    launch(clean)\n")
        ran = self.counts(self.pytest(status=1), failed=1)
        self.assertIn(" is not checked: its Tile IR was never seen\n", ran.out)


class Usage(Case):
    def setUp(self):
        super().setUp()
        self.write("test_a.py", "def test_clean():\n    launch(clean)\n")

    def refused(self, *words, told, mode="check", **changes):
        ran = self.pytest(*words, mode=mode, status=4, **changes)
        self.assertIn(told, ran.out + ran.err)
        self.assertNotIn("Traceback", ran.err)

    def test_no_program(self):
        self.refused(told="ERROR: --tilerace=check: the program tilerace is not there: /nowhere; "
                     "TILERACE_PROGRAM may name it", TILERACE_PROGRAM="/nowhere")

    def test_a_program_that_fails(self):
        self.refused(told="the checker could not be started", TILERACE_PROGRAM="/bin/false")
        self.refused(told="solver", TILERACE_SOLVER="/nowhere/z3")

    def test_words(self):
        self.refused(mode="chekc", told="argument --tilerace: invalid choice: 'chekc'")
        self.write("pytest.ini", "[pytest]\ntilerace = chekc\n")
        self.refused(mode=None, told="ERROR: the option tilerace of the ini file is check, interpret "
                     "or record, not 'chekc'")
        self.write("pytest.ini", "[pytest]\n")
        self.refused("--tilerace-recording=x", told="--tilerace-recording is for --tilerace=record")

    def test_two_checkers(self):
        told = "there is one already: leave out `tilerace exec`, or TILERACE in the environment"
        self.refused(told=told, TILERACE="warn")
        self.refused(told="TILERACE is warn, error", TILERACE="wran")
        run = subprocess.run(
            [TILERACE, "exec", "--dry-run", "--no-recording", "--", "true"], check=True,
            capture_output=True, env=self.environment())
        self.assertEqual(run.stdout, b"")
        self.refused(told=told, under=(TILERACE, "exec", "--dry-run", "--no-recording", "--"))

    def test_a_session_that_does_not_begin(self):
        self.write("conftest.py", "1 / 0\n")
        self.refused(told="ZeroDivisionError")

    def test_under_exec_without_the_option(self):
        self.write("test_a.py", "def test_racy():\n    launch(racy)\n")
        ran = self.pytest(mode=None, status=1,
                          under=(TILERACE, "exec", "--dry-run", "--no-recording", "--"))
        self.counts(ran, passed=1)
        self.assertIn(TOLD, ran.err)

    def test_a_session_in_a_test(self):
        self.write("test_a.py", """
import os, subprocess, sys
def test_inner():
    run = subprocess.run([sys.executable, "-m", "pytest", "-p", "pytest_tilerace", "inner.py",
                          *os.environ["INNER"].split()], capture_output=True, text=True)
    print(run.stdout, run.stderr)
    assert run.returncode == int(os.environ["STATUS"])
""")
        self.write("inner.py", "from kernels import *\ndef test_racy():\n    launch(racy)\n")
        ran = self.counts(self.pytest(INNER="--tilerace=check", STATUS="4", status=0), passed=1)
        ran = self.counts(self.pytest(INNER="-q", STATUS="0", status=1), failed=1)
        self.assertIn(TOLD, ran.out)


if __name__ == "__main__":
    main()

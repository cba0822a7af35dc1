"""Solvers end with the checker, however it ends, with all that they started; and what is no program
is none.

    test_solver_ends.py TILERACE LEAVING_SOLVER
"""

import ctypes
import itertools
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1))
LEAVES = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
ASKS = ROOT / "build/fixtures/races/matmul_counted_relaxed_unlock.c"  # whose proof asks the solver
FEW = ROOT / "tests/preconditions/negated_tables.c"  # with one question
# Stays at its first question, deaf to signals and to the end of its input, with a child beside it.
DEAF = """#!/bin/sh
trap '' TERM INT HUP PIPE
sh -c "trap '' TERM INT HUP; echo \\$\\$ >>{folder}/ids; while :; do sleep 1; done" &
echo $$ >>{folder}/ids
while :; do sleep 1; done
"""


def is_there(number):
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def called(name):
    """The processes of that name that run."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "comm").read_text() == name + "\n" and is_there(entry.name):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def keeps_signals():
    """Can Landlock keep a program from sending signals, so that it cannot stop its guard again and again?"""
    create_rules, ask_version, knows_scopes = 444, 1, 6
    return ctypes.CDLL(None).syscall(create_rules, None, 0, ask_version) >= knows_scopes


def until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


class Leaves(unittest.TestCase):
    """Whatever group or session the solver's processes make for themselves, none is left: of a solver that
    is confined with its worker, and, as a command line, of one that is not."""

    HOW = {"child": 2, "group": 2, "session": 2, "daemon": 2, "pipes": 2, "deaf": 2, "chain": 6, "many": 21, "late": 12,
           "stop": 2}
    if keeps_signals():
        HOW["stops"] = 3
    numbers = itertools.count()

    def setUp(self):
        self.name = f"left{os.getpid() % 100000}.{next(self.numbers)}"
        self.addCleanup(lambda: [os.kill(number, signal.SIGKILL) for number in called(self.name)])

    def start(self, how, then, *words, solver=LEAVES):
        return subprocess.Popen([TILERACE, "check", "--no-cache", "--solver", solver, *words, str(FEW)],
                                env={**os.environ, "LEAVES": f"{how} {self.name} {then}"}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def check_gone(self):
        self.assertTrue(until(lambda: not called(self.name), 20), called(self.name))

    def test_killed_checker(self):
        for how, least in self.HOW.items():
            for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV):
                with self.subTest((how, number)):
                    self.assertTrue(any(self.kill_checker(how, least, number) for _ in range(5)))

    def kill_checker(self, how, least, number):
        """False: the checker, which waits for no solver long, gave it up before so many processes were seen."""
        with self.start(how, "stay") as checker:
            seen = until(lambda: len(called(self.name)) >= least or checker.poll() is not None, 20)
            seen = seen and checker.poll() is None
            checker.send_signal(number)
            checker.communicate(timeout=60)
        self.check_gone()
        return seen

    def test_killed_worker(self):
        for how in ("session", "daemon", "chain"):
            with self.subTest(how):
                with self.start(how, "stay") as checker:
                    self.assertTrue(until(lambda: len(called(self.name)) >= self.HOW[how], 20), called(self.name))
                    workers = pathlib.Path(f"/proc/{checker.pid}/task/{checker.pid}/children")
                    if not workers.exists():
                        self.skipTest("the system does not tell of children")
                    own = [int(word) for task in pathlib.Path(f"/proc/{checker.pid}/task").iterdir()
                           for word in (task / "children").read_text().split()]
                    self.assertEqual(len(own), 1)
                    os.kill(own[0], signal.SIGKILL)
                    # Another worker may be started, which asks again.
                    until(lambda: checker.poll() is not None or not called(self.name)
                          or len(called(self.name)) >= self.HOW[how], 10)
                    checker.kill()
                    checker.communicate(timeout=20)
                self.check_gone()

    def test_solvers_that_end(self):
        """They answer, or die: the check goes on to its end, in its usual time, and nothing is left."""
        for how, then in itertools.product(self.HOW, ("die", "answer")):
            for solver in (LEAVES, LEAVES + " as-a-command-line"):
                with self.subTest((how, then, solver)):
                    began = time.monotonic()
                    with self.start(how, then, solver=solver) as checker:
                        out, err = checker.communicate(timeout=60)
                    self.assertIn("unknown", out, err)
                    self.assertLess(time.monotonic() - began, 15)
                    self.check_gone()

    def test_in_one_process(self):
        """Without a worker, as the library checks: `dump` and `contract` ask the solver themselves."""
        for how in ("session", "daemon", "pipes"):
            with self.subTest(how):
                done = subprocess.run([TILERACE, "contract", "--solver", LEAVES, str(FEW)], capture_output=True, text=True,
                                      check=False, timeout=60, env={**os.environ, "LEAVES": f"{how} {self.name} answer"})
                self.assertIn(done.returncode, (0, 1, 2, 3), done.stderr)
                self.check_gone()

    def test_status(self):
        """What a solver's end was is said as ever."""
        with self.start("daemon", "die", "--format", "json") as checker:
            out, _ = checker.communicate(timeout=60)
        self.assertIn("The solver ended with exit status 3.", out)


class Ends(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.solver = self.folder / "deaf"
        self.solver.write_text(DEAF.format(folder=self.folder))
        self.solver.chmod(stat.S_IRWXU)

    def started(self):
        """The numbers of the solver and its child, once they are there."""
        for _ in range(1000):
            ids = (self.folder / "ids").read_text().split() if (self.folder / "ids").exists() else []
            if len(ids) == 2:
                return ids
            time.sleep(0.02)
        self.fail("the solver was not asked")

    def test_with_the_checker(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGINT, signal.SIGABRT):
            with self.subTest(number):
                (self.folder / "ids").unlink(missing_ok=True)
                with subprocess.Popen([TILERACE, "check", "--solver", str(self.solver), str(ASKS)],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      cwd=self.folder) as checker:
                    ids = self.started()
                    checker.send_signal(number)
                    checker.wait(20)
                    ended = time.monotonic()
                while any(is_there(number) for number in ids) and time.monotonic() < ended + 5:
                    time.sleep(0.01)
                took = time.monotonic() - ended
                self.assertFalse(any(is_there(number) for number in ids))
                self.assertLess(took, 1)

    def test_markers(self):
        """No solver that prints in advance is believed, since it cannot know what ends an answer."""
        kernel = "kernels/stream_k.c"  # race-free by `unsat` of the solver alone
        seen = []
        for printed in ("unsat", "unsat\\ntilerace-1", "unsat\\n\"tilerace-1\"", "unsat\\ntilerace-0-1", "unsat\\ntilerace--1"):
            self.solver.write_text(f"#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do printf '{printed}\\n'; done\n"
                                   f"while read -r line; do printf '%s\\n' \"$line\" >>{self.folder}/asked; "
                                   f"printf '{printed}\\n'; case $line in '(echo'*) exit 0;; esac; done\n")
            (self.folder / "asked").unlink(missing_ok=True)
            done = subprocess.run([TILERACE, "check", "--no-cache", "--solver", str(self.solver), str(ROOT / kernel)],
                                  capture_output=True, text=True, check=False, timeout=60)
            self.assertIn("1 unknown", done.stdout, printed)
            seen.append(set(re.findall(r'\(echo "(.*)"\)', (self.folder / "asked").read_text())))
            self.assertTrue(seen[-1])
        for i, markers in enumerate(seen):
            self.assertFalse(markers & set().union(*seen[:i]))
            self.assertTrue(all(re.search("[0-9a-f]{32}", marker) for marker in markers), markers)

    def test_what_is_no_program(self):
        (self.folder / "z3").mkdir()
        (self.folder / "text").write_text("not executable")
        for name in ("z3", "text", "not there"):
            done = subprocess.run([TILERACE, "check", "--solver", str(self.folder / name), str(ASKS)],
                                  capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn("is not a program that can be run", done.stderr)
            done = subprocess.run([TILERACE, "check", str(ASKS)], capture_output=True, text=True, check=False,
                                  timeout=60, env={**os.environ, "TILERACE_SOLVER": str(self.folder / name)})
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot be used", done.stderr)


if __name__ == "__main__":
    unittest.main()

"""A worker that tries what it must not: to write, to reach a network, to start programs, to reach into its
parent (confined/attempts.c is loaded into it). And what is said where the kernel holds less.

    test_confined.py TILERACE ATTEMPTS_LIBRARY
"""

import errno
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ATTEMPTS = os.path.abspath(sys.argv.pop())
TILERACE = os.path.abspath(sys.argv.pop())
ROOT = pathlib.Path(__file__).resolve().parents[2]
ASKS = ROOT / "tests/preconditions/negated_tables.c"  # whose proof asks the solver
SANITIZED = b"__asan_init" in pathlib.Path(TILERACE).read_bytes()
WRITES = {"open-write", "open-both", "open-append", "open-truncate", "open-create", "open-create-read", "open-unnamed",
          "open-own-memory", "open-device", "openat2", "truncate", "io_uring", "mkdir", "symlink", "link", "mkfifo", "chmod",
          "chown", "utimens", "setxattr", "rename", "rmdir", "unlink", "loader-writes"}  # fmt: skip
NETWORK = {"socket-tcp", "socket-udp", "socket-tcp6", "socket-unix", "socket-netlink", "connect", "bind"}
PROGRAMS = {"exec-true", "exec-shell", "exec-self", "execveat"}
PROCESSES = {"ptrace", "read-memory", "write-memory", "open-memory", "signal", "limit", "priority", "unshare", "clone",
             "mount"}  # fmt: skip
ALLOWED = {"may-read", "may-list", "may-pipe", "may-fork", "may-map"}
REFUSED = {errno.EPERM, errno.EACCES}


def offered():
    """What the system has: Landlock's version, as the kernel says it."""
    probe = "import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))"
    return int(subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout)


LANDLOCK = offered()


@unittest.skipIf(SANITIZED, "nothing may be loaded before a sanitizer")
class Confined(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.place = self.folder / "place"
        self.fill(self.place)
        (self.folder / "asks.c").write_text(ASKS.read_text())

    @staticmethod
    def fill(place):
        (place / "empty").mkdir(parents=True)
        for name in ("there", "other"):
            (place / name).write_text("as it was\n")

    def check(self, *words, lacks=None, free=False, place=None):
        """What came of each attempt, and what the run printed."""
        results = self.folder / "results"
        results.unlink(missing_ok=True)
        environment = {**os.environ, "LD_PRELOAD": ATTEMPTS, "ATTEMPTS": str(results),
                       "ATTEMPTS_IN": str(place or self.place)}  # fmt: skip
        if lacks:
            environment["ATTEMPTS_LACK"] = lacks
        if free:
            environment["ATTEMPTS_FREE"] = "1"
        done = subprocess.run([TILERACE, "check", "--no-cache", "-v", "-j1", *words, "asks.c"], cwd=self.folder,
                              env=environment, capture_output=True, text=True, check=False, timeout=120)
        lines = results.read_bytes().rstrip(b"\0").decode().splitlines()
        self.assertTrue(lines, done.stderr)
        return {line.split()[0]: int(line.split()[1]) for line in lines}, done

    def script(self):
        path = self.folder / "solver"
        path.write_text("#!/bin/sh\nexec %s -smt2 -in\n" % os.environ["TILERACE_SOLVER"])
        path.chmod(stat.S_IRWXU)
        return str(path)

    def assert_refused(self, came, names):
        self.assertEqual({name: came[name] for name in names if came[name] not in REFUSED}, {})

    def assert_fine(self, done):
        """The check itself was made, solver and all."""
        self.assertEqual(done.returncode, 1, done.stderr)  # one of its kernels has a race
        self.assertIn("race-free", done.stdout)

    def test_whole(self):
        if LANDLOCK < 1:
            self.skipTest("the kernel has no Landlock")
        came, done = self.check()
        self.assert_fine(done)
        self.assertIn("tilerace: workers were confined by Landlock and seccomp", done.stderr)
        self.assert_refused(came, WRITES | NETWORK | PROGRAMS | PROCESSES - ({"signal"} if LANDLOCK < 6 else set()))
        self.assertEqual({name: came[name] for name in ALLOWED}, dict.fromkeys(ALLOWED, 0))
        self.assertEqual(sorted(path.name for path in self.place.iterdir()), ["empty", "other", "there"])
        self.assertEqual((self.place / "there").read_text(), "as it was\n")

    def test_free(self):
        """The attempts are ones that succeed where nothing holds them back."""
        came, done = self.check("--solver", self.script(), free=True)
        self.assert_fine(done)
        self.assertRegex(done.stderr, "workers were not confined: the solver .*/solver is a script")
        may_differ = {"openat2", "io_uring", "open-unnamed", "setxattr", "socket-netlink", "socket-tcp6", "connect",
                      "execveat"}  # by machine; of the last the program is not there
        failed = {name: why for name, why in came.items() if why and name not in may_differ}
        self.assertEqual(failed, {})
        self.assertNotIn("there", [path.name for path in self.place.iterdir()])

    def test_no_landlock(self):
        came, done = self.check(lacks="landlock")
        self.assert_fine(done)
        self.assertIn("tilerace: workers were confined by seccomp alone", done.stderr)
        self.assert_refused(came, (WRITES | NETWORK | PROCESSES) - {"signal", "open-memory"})
        self.assertEqual(came["exec-true"], 0)  # docs/security.md says so

    def test_no_seccomp(self):
        if LANDLOCK < 3:
            self.skipTest("the kernel's Landlock holds less")
        came, done = self.check(lacks="seccomp", free=True)
        self.assert_fine(done)
        self.assertIn("tilerace: workers were confined by Landlock alone", done.stderr)
        beside = {"chmod", "chown", "utimens", "setxattr", "io_uring"}  # what belongs to files beside their bytes
        self.assert_refused(came, WRITES - beside)
        self.assertEqual(came["socket-udp"], 0)

    def test_neither(self):
        came, done = self.check(lacks="landlock seccomp", free=True)
        self.assert_fine(done)
        self.assertIn("tilerace: workers were not confined: there is neither Landlock nor seccomp", done.stderr)
        self.assertEqual(came["open-write"], 0)

    def test_kept_obligations(self):
        """Files are made in that folder and nowhere else."""
        if LANDLOCK < 3:
            self.skipTest("the kernel's Landlock holds less")
        came, done = self.check("--keep-obligations", "kept")
        self.assert_fine(done)
        self.assertTrue(list((self.folder / "kept").glob("*.smt2")))
        self.assert_refused(came, (WRITES | NETWORK | PROGRAMS) - {"io_uring", "openat2"})
        self.fill(self.folder / "kept")
        came, done = self.check("--keep-obligations", "kept", place=self.folder / "kept")
        self.assertEqual([came[name] for name in ("open-create", "open-write", "unlink")], [0, 0, 0])
        self.assert_refused(came, NETWORK | PROGRAMS | {"mkdir", "symlink", "link", "mkfifo", "chmod"})

    def test_scripts(self):
        """A command line may start anything, so its worker is not confined; a program alone is."""
        solver = os.environ["TILERACE_SOLVER"]
        for words, confined in ((solver, True), (f"nice -n 1 {solver} -smt2 -in", False), (self.script(), False)):
            done = subprocess.run([TILERACE, "check", "--no-cache", "-v", "--solver", words, "asks.c"], cwd=self.folder,
                                  capture_output=True, text=True, check=False, timeout=120)
            self.assert_fine(done)
            self.assertEqual("were not confined" not in done.stderr, confined, done.stderr)

    def test_version(self):
        told = subprocess.run([TILERACE, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(told, "(?m)^workers +confined by (Landlock and seccomp|seccomp alone|Landlock alone)"
                         if LANDLOCK > 0 else "(?m)^workers +(not )?confined")

    def test_version_without_a_process(self):
        """What cannot be tried is not told as lacking."""
        environment = {**os.environ, "LD_PRELOAD": ATTEMPTS, "ATTEMPTS_LACK": "fork"}
        told = subprocess.run([TILERACE, "--version"], capture_output=True, text=True, check=True, env=environment).stdout
        self.assertRegex(told, "(?m)^workers +unknown: cannot start a process: .")


if __name__ == "__main__":
    unittest.main()

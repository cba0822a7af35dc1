"""Checks are made in processes of their own: what ends one costs the kernel that it was at, and the
report says which and why. Limits of memory and time; nothing is left running.

    test_workers.py TILERACE
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

from formats import FORMATS  # noqa: E402  the folder is known only now

# Programs built with a sanitizer map terabytes, and print where people read.
SANITIZED = b"__asan_init" in pathlib.Path(TILERACE).read_bytes()
MODULE = str(ROOT / "kernels/python/matmul_grouped.tilebc")
FAST = """tile_kernel void %s(float *restrict x) { tile_grid(8); x[tile_bid(0)] = 1; }
"""
SLOW = (ROOT / "kernels/stream_k.c").read_text()  # asks the solver, as the other one does not
FIRST, LAST = FAST % "first", FAST % "last"


def is_running(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def children(process):
    """Its workers: the solvers are theirs."""
    found = []
    for other in pathlib.Path("/proc").iterdir():
        if other.name.isdigit():
            try:
                if int((other / "stat").read_text().rpartition(")")[2].split()[1]) == process:
                    found.append(int(other.name))
            except (FileNotFoundError, ProcessLookupError):
                pass
    return found


def until(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.folder.chmod(0o755)
        for name, text in (("a.c", FAST % "a"), ("z.c", FAST % "z")):
            self.write(name, text)
        self.write("three.c", FIRST + SLOW.replace("#include <tile.h>", "") + LAST)

    def write(self, name, text):
        (self.folder / name).write_text(text if "<tile.h>" in text else "#include <tile.h>\n" + text)

    def solver(self):
        """One that never answers, and has started a child of its own."""
        path = self.folder / "solver"
        path.write_text(f"#!/bin/sh\nsleep 1000 & echo $$ $! >>{self.folder}/pids; wait\n")
        path.chmod(stat.S_IRWXU)
        return str(path)

    def hangs(self, solvers=1):
        pids = self.folder / "pids"
        self.assertTrue(until(lambda: pids.exists() and len(pids.read_text().splitlines()) >= solvers))
        time.sleep(0.1)

    def assert_nothing_is_left(self):
        pids = (self.folder / "pids").read_text().split()
        self.assertTrue(until(lambda: not any(is_running(pid) for pid in pids), 5), "a solver is left")

    def run_with(self, *words, **options):
        return subprocess.run([TILERACE, "check", "--no-cache", *words], cwd=self.folder, capture_output=True,
                              text=True, check=False, timeout=120, **options)

    def start(self, *words, **options):
        run = subprocess.Popen([TILERACE, "check", "--no-cache", *words], cwd=self.folder, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.kill)
        return run


class Deaths(Case):
    def test_killed(self):
        """One kernel is lost: of the same file and of others all is there."""
        run = self.start("-j1", "--format", "json", "--solver", self.solver(), "a.c", "three.c", "z.c")
        self.hangs()
        [worker] = children(run.pid)
        os.kill(worker, signal.SIGSEGV)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 2, err)
        why = "the process that checked it ended by signal 11 (Segmentation fault)"
        self.assertIn(f"tilerace: error: three.c: 'stream_k' is not decided: {why}. This is a mistake in tilerace; please report it", err)
        inputs = json.loads(out)["inputs"]
        self.assertEqual([given["status"] for given in inputs], ["checked"] * 3)
        kernels = [(k["kernel"], k["verdict"]) for given in inputs for k in given["kernels"]]
        self.assertEqual(kernels, [("a", "race-free"), ("first", "race-free"), ("stream_k", "unknown"),
                                   ("last", "race-free"), ("z", "race-free")])
        lost = inputs[1]["kernels"][1]
        self.assertEqual((lost["reason"]["kind"], lost["reason"]["text"]), ("worker-ended", why))
        self.assertEqual(lost["place"]["line"], 10)
        self.assert_nothing_is_left()

    def test_crashes_of_the_compiler(self):
        """Clang crashes on demand: the file is named with what happened, and all others are there."""
        pragmas = ("crash", "parser_crash", "llvm_fatal_error", "llvm_unreachable", "assert")
        for pragma in pragmas:
            self.write(f"m_{pragma}.c", f"#pragma clang __debug {pragma}\n" + FAST % "m")
        crashed = 0
        for jobs in ("-j1", "-j2"):
            done = self.run_with(jobs, "--format", "json", "a.c", *(f"m_{pragma}.c" for pragma in pragmas), "z.c")
            inputs = {given["file"]: given for given in json.loads(done.stdout)["inputs"]}
            self.assertEqual([inputs[name]["kernels"][0]["verdict"] for name in ("a.c", "z.c")], ["race-free"] * 2)
            for pragma in pragmas:
                given = inputs[f"m_{pragma}.c"]
                with self.subTest((jobs, pragma)):
                    if given["status"] == "checked":
                        continue  # a release of Clang need not know each
                    crashed += 1
                    self.assertEqual(done.returncode, 2)
                    said = given["error"]
                    self.assertRegex(said, "the process that checked it ended by signal|[Cc]rash")
                    self.assertFalse(given["kernels"])
        self.assertGreater(crashed, 2)

    def test_killed_again_and_again(self):
        """The rest of the file is given up, and said to be."""
        before, kernel = SLOW.split("tile_kernel void stream_k")
        self.write("six.c", before + "".join(f"tile_kernel void k{i}{kernel}" for i in range(6)))
        run = self.start("-j1", "--solver", self.solver(), "six.c", "z.c")
        for deaths in range(1, 4):
            self.hangs(deaths)
            os.kill(children(run.pid)[0], signal.SIGABRT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertEqual(out.count("ended by signal 6 (Aborted) [worker-ended]"), 3, out)
        self.assertEqual(out.count("had to be ended too often [worker-ended]"), 3, out)
        self.assertIn("race-free: 'z'", out)
        self.assert_nothing_is_left()

    def test_idle_ones_are_not_missed(self):
        """A worker that has nothing to do may die."""
        run = self.start("-j2", "--solver", self.solver(), "three.c", "a.c")
        self.hangs()
        self.assertTrue(until(lambda: len(children(run.pid)) == 2))
        time.sleep(0.5)
        for worker in children(run.pid):
            if not children(worker):
                os.kill(worker, signal.SIGKILL)
        self.assertTrue(until(lambda: len(children(run.pid)) == 1))
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGINT)
        self.assertIn("race-free: 'a'", run.communicate(timeout=60)[0])

    def test_parent_killed(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                (self.folder / "pids").unlink(missing_ok=True)
                run = self.start("-j2", "--solver", self.solver(), "three.c", "a.c", "z.c")
                self.hangs()
                workers = children(run.pid)
                self.assertIn(len(workers), (1, 2))
                run.send_signal(number)
                run.wait(timeout=30)
                self.assertTrue(until(lambda: not any(is_running(one) for one in workers), 5), "a worker is left")
                self.assert_nothing_is_left()

    def test_what_a_worker_has(self):
        """Of our descriptors and terminal nothing; no core."""
        reading, writing = os.pipe()
        run = self.start("-j1", "--solver", self.solver(), "three.c", pass_fds=(writing,))
        os.close(writing)
        self.hangs()
        [worker] = children(run.pid)
        about = pathlib.Path(f"/proc/{worker}")
        links = {int(link.name): os.readlink(link) for link in (about / "fd").iterdir()}
        theirs = os.readlink(f"/proc/{run.pid}/fd/{writing}")
        self.assertNotIn(theirs, links.values())
        self.assertEqual(links[0], "/dev/null")
        self.assertRegex(links[3], "^socket:")
        self.assertRegex((about / "limits").read_text(), r"Max core file size +0 +0 ")
        self.assertEqual(os.getsid(worker), worker)
        os.close(reading)


class Limits(Case):
    def test_time_of_a_kernel(self):
        done = self.run_with("--timeout", "1500", "--solver", self.solver(), "a.c", "three.c", "z.c")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("three.c:10:18: note: 'stream_k' is not decided: the check did not end within 1.5 s [budget]",
                      done.stdout)
        self.assertIn("5 kernels: 4 proved race-free, 0 conditional, 0 racy, 1 unknown\n", done.stdout)
        self.assert_nothing_is_left()
        done = self.run_with("--timeout", "1000", "--fail-on-unknown", "--solver", self.solver(), "three.c")
        self.assertEqual(done.returncode, 3)

    def test_headers_that_macros_name(self):
        """No reader of directives sees which they are: limits bound them."""
        os.mkfifo(self.folder / "pipe")
        for name, header in (("pipe.c", "pipe"), ("zero.c", "/dev/zero")):
            self.write(name, f'#define HEADER "{header}"\n#include HEADER\n' + FAST % "k")
        done = self.run_with("--timeout", "2000", "a.c", "pipe.c", "z.c")
        self.assertEqual(done.returncode, 2)
        self.assertIn("pipe.c: error: the check did not end within 2 s\n", done.stdout)
        self.assertIn("2 kernels: 2 proved race-free", done.stdout)
        if SANITIZED:
            return
        done = self.run_with("--memory", "200", "a.c", "zero.c", "z.c")
        self.assertEqual(done.returncode, 2)
        self.assertIn("zero.c: error: the check needs more than 200 MB of memory\n", done.stdout)
        self.assertIn("2 kernels: 2 proved race-free", done.stdout)
        self.assertEqual(done.stderr, "")

    @unittest.skipIf(SANITIZED, "a sanitizer has an allocator of its own")
    def test_memory_of_a_kernel(self):
        done = self.run_with("--memory", "3", MODULE, str(ROOT / "kernels/python/add_vectors.tilebc"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("'matmul_grouped' is not decided: the check needs more than 3 MB of memory [memory]", done.stdout)
        self.assertIn("race-free: 'add_vectors'", done.stdout)
        self.assertEqual(done.stderr, "")

    @unittest.skipIf(SANITIZED, "a sanitizer has an allocator of its own")
    def test_memory_for_clang(self):
        """Libraries that cannot be loaded for want of memory are no libraries that are not there."""
        for megabytes in (1, 2, 3, 5, 8):
            done = self.run_with("--memory", str(megabytes), "a.c")
            self.assertEqual((done.returncode, done.stderr), (2, ""))
            self.assertIn(f"a.c: error: the check needs more than {megabytes} MB of memory\n", done.stdout)
        for megabytes in (70, 120, 250, 400):
            done = self.run_with("-j1", "a.c", preexec_fn=lambda most=megabytes << 20: resource.setrlimit(
                resource.RLIMIT_AS, (most, most)))
            if done.returncode == 0:
                continue  # a libclang that is smaller
            self.assertEqual((done.returncode, done.stderr), (2, ""))
            self.assertIn(f"a.c: error: the check needs more memory than a process may have here: {megabytes} MB of "
                          "addresses (ulimit -v)\n", done.stdout)

    def test_little_memory_of_all(self):
        """`ulimit -v`: there is an answer."""
        if SANITIZED:
            self.skipTest("a sanitizer maps terabytes")
        done = self.run_with("-j1", "a.c", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (700 << 20, 700 << 20)))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    @unittest.skipIf(SANITIZED, "a sanitizer needs a process of its own to look for leaks")
    def test_no_processes(self):
        """Where none can be made, the files are checked all the same, and it is said how."""
        def limit():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            if os.getuid() == 0:  # whom no such limit holds
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
        shutil.copy(ROOT / "kernels/python/add_vectors.tilebc", self.folder / "k.tilebc")
        if os.getuid() == 0 and os.stat(os.path.dirname(TILERACE)).st_mode & 5 != 5:
            self.skipTest("nobody else may run the program")
        try:
            done = self.run_with("a.c", "k.tilebc", "missing.c", preexec_fn=limit)
        except PermissionError:
            self.skipTest("nobody else may run the program")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^tilerace: warning: no process can be made \(.*\): files are checked one "
                                      r"after another, without limits of memory and time\n")
        self.assertIn("'a' ", done.stdout)
        self.assertIn("'add_vectors' ", done.stdout)
        self.assertIn("missing.c: error: ", done.stdout)


class Order(Case):
    def test_equal_bytes(self):
        """However many workers there are, and whatever dies in them."""
        files = sorted(str(path) for path in (ROOT / "build/fixtures/races").glob("*.c"))[:10] + [MODULE, "a.c", "zero.c"]
        self.write("zero.c", '#define HEADER "/dev/zero"\n#include HEADER\n' + FAST % "k")
        limits = [] if SANITIZED else ["--memory", "100"]
        for name in ("text", "json", "sarif"):
            outs = set()
            for jobs in ("-j1", "-j2", "-j7"):
                done = self.run_with(jobs, *limits, "--format", name, *(files if limits else files[:-1]))
                self.assertEqual(done.returncode, 2 if limits else 1, done.stderr)
                outs.add(re.sub(r'("time_ms":\s*|time=")[0-9.]+', r"\1", done.stdout))
            self.assertEqual(len(outs), 1, name)

    @unittest.skipIf(SANITIZED, "a sanitizer keeps what was freed")
    def test_memory_of_many_files(self):
        """It does not grow with what is found in them. From the cache, so that no worker is measured."""
        kernels = "".join("tile_kernel void %%s%d(float *restrict x) { tile_grid(8); x[tile_bid(0) / 2] = 1; }\n" % i
                          for i in range(20))
        for i in range(120):
            self.write(f"k{i}.c", kernels % tuple([f"k{i}_"] * 20))

        def peak(n, form):
            with open(self.folder / "out", "w") as out:
                run = subprocess.Popen([TILERACE, "check", "--cache-dir", "cache", "--format", form,
                                        *(f"k{i}.c" for i in range(n))], cwd=self.folder, stdout=out)
                _, status, used = os.wait4(run.pid, 0)
                run.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(run.returncode, 1)
            return used.ru_maxrss / 1024
        peak(120, "text")
        peak(120, "html")  # with pictures: a result of its own
        for form in FORMATS:
            self.assertLess(peak(120, form) - peak(20, form), 6, form)

    def test_closed_streams(self):
        """No file of ours takes their place."""
        for stream in (0, 1, 2):
            done = self.run_with("-o", "report", "a.c", preexec_fn=lambda closed=stream: os.close(closed))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            self.assertIn("race-free: 'a'", (self.folder / "report").read_text())
        done = self.run_with("a.c", preexec_fn=lambda: os.close(1))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "tilerace: error: the output cannot be written: Bad file descriptor\n")
        done = self.run_with("a.c", preexec_fn=lambda: [os.close(stream) for stream in (0, 1, 2)])
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()

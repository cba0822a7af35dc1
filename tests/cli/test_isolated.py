"""The library checks in processes of its own (tilerace_options.isolate): what it finds is what it finds without, and
whatever ends a check, or the host, costs no more than it concerns.

    test_isolated.py LIBRARY [--all]: all kernels and fixtures, not a sample
"""

import ctypes
import json
import os
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
LIBRARY = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ["TILERACE_LIBRARY"] = LIBRARY
os.environ["PYTHONPATH"] = f"{ROOT}/python:{ROOT}/capture/python"
sys.path[:0] = os.environ["PYTHONPATH"].split(":")

import tilerace  # noqa: E402
from tilerace import _check, _library  # noqa: E402

SANITIZED = b"__asan_init" in pathlib.Path(LIBRARY).read_bytes()
MODULE = ROOT / "kernels/python/matmul_grouped.tilebc"
FAST = "tile_kernel void %s(float *restrict x) { tile_grid(8); x[tile_bid(0)] = 1; }\n"
SLOW = (ROOT / "kernels/stream_k.c").read_text().replace("#include <tile.h>", "")


def processes():
    """Of each that runs: its parent, and the group and session that it is in."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if fields[0] != "Z":
                found[int(entry.name)] = int(fields[1])
    return found


def descendants(of):
    all_, found = processes(), []
    waiting = [of]
    while waiting:
        parent = waiting.pop()
        own = [one for one, above in all_.items() if above == parent]
        found += own
        waiting += own
    return found


def named(pids, word):
    found = []
    for one in pids:
        try:
            if word in pathlib.Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" ").decode():
                found.append(one)
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def until(holds, seconds=30):
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
        self.three = self.folder / "three.c"
        self.three.write_text("#include <tile.h>\n" + FAST % "first" + SLOW + FAST % "last")

    def solver(self):
        """One that never answers, and has started a child of its own."""
        path = self.folder / "solver"
        path.write_text(f"#!/bin/sh\nsleep 1000 & echo $$ $! >>{self.folder}/pids; wait\n")
        path.chmod(stat.S_IRWXU)
        return str(path)

    def solvers(self):
        pids = self.folder / "pids"
        return [int(word) for word in pids.read_text().split()] if pids.exists() else []

    def assert_nothing_is_left(self):
        self.assertTrue(until(lambda: not set(self.solvers()) & set(processes()), 10), "a solver is left")
        self.assertTrue(until(lambda: not named(descendants(os.getpid()), "tilerace"), 10), "a process is left")

    def hang(self, **options):
        """A check whose solver does not answer, on a thread; its worker."""
        came = []
        thread = threading.Thread(target=lambda: came.append(
            tilerace.check(self.three, isolate=True, solver=self.solver(), **options)))
        thread.start()
        self.addCleanup(thread.join)
        self.assertTrue(until(lambda: len(self.solvers()) >= 2))
        return thread, came

    def worker(self):
        """The one whose child is the solver's: its parent is tilerace-isolated."""
        own = named(descendants(os.getpid()), "tilerace-isolated")
        above = processes()
        return [one for one in own if above.get(one) in own]

    def verdicts(self, result):
        return [(kernel.name, kernel.verdict.value, kernel.reason.kind if kernel.reason else None)
                for kernel in result.kernels]


def report(result):
    told = json.loads(result.report("json"))
    for given in told["inputs"]:
        for kernel in given["kernels"]:
            del kernel["time_ms"]
    return told


class Equal(Case):
    """In a process of its own and without."""

    def files(self):
        found = sorted(path for folder in ("kernels", "build/fixtures/races", "fixtures/races") for ending in ("*.c", "**/*.tilebc")
                       for path in (ROOT / folder).glob(ending))  # fmt: skip
        return found if ALL else found[:: max(1, len(found) // 24)]

    def launches(self, kernel, chance):
        """Launches of which some hold and some break what there is to keep."""
        for _ in range(20):
            arguments, keep = [], []
            for number, parameter in enumerate(kernel.parameters):
                one = _library.Argument(integer=chance.choice((0, 1, 2, 16, 64, 100, 128, 4096, -1)), number=1.0)
                if chance.random() < 0.9:
                    one.address = 0x10000 * (number + 1 if chance.random() < 0.9 else 1)
                one.bytes_known = chance.random() < 0.9
                one.bytes = chance.choice((4, 1 << 12, 1 << 15))
                width = parameter.element_bytes or 4
                if chance.random() < 0.7:
                    values = [chance.randrange(0, 40) if chance.random() < 0.5 else i for i in range(32)]
                    data = b"".join(value.to_bytes(width, "little") for value in values)
                    keep.append(ctypes.create_string_buffer(data, len(data)))
                    one.contents = ctypes.cast(keep[-1], ctypes.c_void_p)
                    one.contents_bytes = len(data)
                arguments.append(one)
            pointers = (ctypes.POINTER(_library.Argument) * (len(arguments) + 1))(
                *[ctypes.pointer(one) for one in arguments])
            grid = (ctypes.c_int64 * 3)(*(chance.choice((1, 1, 2, 8, 64)) for _ in range(3)))
            yield _library.Launch(grid=grid, n_arguments=len(arguments), arguments=pointers), (arguments, keep)

    def answers(self, address, index, launch):
        lib = _library.library()
        kernel = lib.tilerace_kernel_at(address, index)
        answer = _library.Answer()
        lib.tilerace_check_launch(kernel, ctypes.byref(launch), ctypes.byref(answer))
        room = ctypes.create_string_buffer(4096)
        lib.tilerace_describe(kernel, ctypes.byref(launch), ctypes.byref(answer), room, len(room))
        race = answer.race.contents.message if answer.race else None
        return (answer.outcome, answer.precondition, answer.not_checked, answer.has_arguments, answer.has_elements,
                tuple(answer.arguments) if answer.has_arguments else 0,
                tuple(answer.elements) if answer.has_elements else 0, race, room.value)  # fmt: skip

    def test_results_and_launches(self):
        chance, outcomes = random.Random(7), set()
        for path in self.files():
            with self.subTest(path.name):
                here, apart = tilerace.check(path), tilerace.check(path, isolate=True)
                self.assertEqual(report(here), report(apart))
                self.assertEqual(here.report("text"), apart.report("text"))
                for index, (one, other) in enumerate(zip(here.kernels, apart.kernels)):
                    for name in ("name", "verdict", "reason", "parameters", "preconditions", "findings", "file", "place"):
                        self.assertEqual(str(getattr(one, name)), str(getattr(other, name)), name)
                    for launch, _kept in self.launches(one, chance):
                        answers = [self.answers(result._native.address, index, launch) for result in (here, apart)]
                        self.assertEqual(answers[0], answers[1])
                        outcomes.add(answers[0][0])
        self.assertLessEqual({0, 3, 4}, outcomes, "the launches must not all come to the same")

    def test_contracts(self):
        """Launch contracts in memory, and what is wrong with them."""
        good = {"version": 2, "launches": [{"kernel": "vector_add", "args": [{"name": "n", "value": 64}]}]}
        for contract in (good, {"version": 2, "launches": [{"kernel": "another"}]}, {"version": 2, "launches": 1}):
            came = []
            for isolate in (False, True):
                try:
                    came.append(report(tilerace.check(ROOT / "kernels/vector_add.c", contract, isolate=isolate)))
                except tilerace.InputError as error:
                    came.append(str(error))
            self.assertEqual(came[0], came[1])

    def test_bytes(self):
        """A module in memory; what is no module; a file that is not there."""
        data = MODULE.with_name("add_vectors.tilebc").read_bytes()
        self.assertEqual(report(tilerace.check(data, name="m")), report(tilerace.check(data, name="m", isolate=True)))
        for wrong in (b"", b"int f;", data[:100], self.folder / "none.c"):
            came = []
            for isolate in (False, True):
                with self.assertRaises(tilerace.InputError) as raised:
                    tilerace.check(wrong, isolate=isolate)
                came.append(str(raised.exception))
            self.assertEqual(came[0], came[1])


class Deaths(Case):
    def test_crash(self):
        thread, came = self.hang()
        [worker] = self.worker()
        os.kill(worker, signal.SIGSEGV)
        thread.join(60)
        [(first, _, _), lost, (last, proved, _)] = self.verdicts(came[0])
        self.assertEqual((first, lost[0], lost[2], last), ("first", "stream_k", "worker-ended", "last"))
        self.assertEqual(proved, "race-free")
        self.assertIn("ended by signal 11", came[0].kernels[1].reason.text)
        self.assertEqual([p.name for p in came[0].kernels[1].parameters],
                         [p.name for p in tilerace.check(self.three).kernels[1].parameters])
        self.assert_nothing_is_left()

    def test_crash_of_the_other_process(self):
        """It is no part of a result, but there is an answer."""
        caught = []

        def ask():
            try:
                tilerace.check(self.three, isolate=True, solver=self.solver())
            except tilerace.InputError as error:
                caught.append(str(error))
        thread = threading.Thread(target=ask)
        thread.start()
        self.assertTrue(until(lambda: len(self.solvers()) >= 2))
        workers = self.worker()
        [server] = [one for one in named(descendants(os.getpid()), "tilerace-isolated") if one not in workers]
        os.kill(server, signal.SIGKILL)
        thread.join(60)
        self.assertIn("gave no answer: it ended by signal 9 (Killed)", caught[0])
        self.assert_nothing_is_left()

    @unittest.skipIf(SANITIZED, "a sanitizer has an allocator of its own")
    def test_memory(self):
        result = tilerace.check(MODULE, isolate=True, memory_mb=3)
        self.assertEqual([reason for _, _, reason in self.verdicts(result)], ["memory"])
        self.assertIn("more than 3 MB", result.kernels[0].reason.text)

    def test_time(self):
        thread, came = self.hang(time_ms=1500)
        thread.join(60)
        self.assertEqual([reason for _, _, reason in self.verdicts(came[0])], [None, "budget", None])
        self.assert_nothing_is_left()

    def test_reading(self):
        """A header that only a macro names, and that never ends."""
        os.mkfifo(self.folder / "pipe")
        (self.folder / "pipe.c").write_text('#include <tile.h>\n#define H "pipe"\n#include H\n' + FAST % "k")
        with self.assertRaisesRegex(tilerace.InputError, "did not end within 1 s"):
            tilerace.check(self.folder / "pipe.c", isolate=True, time_ms=1000)

    def test_host_is_killed(self):
        program = "import sys, tilerace; tilerace.check(sys.argv[1], isolate=True, solver=sys.argv[2])"
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGABRT):
            with self.subTest(number):
                (self.folder / "pids").unlink(missing_ok=True)
                host = subprocess.Popen([sys.executable, "-c", program, str(self.three), self.solver()])
                self.assertTrue(until(lambda: len(self.solvers()) >= 2))
                others = descendants(host.pid)
                self.assertGreaterEqual(len(others), 2)
                host.send_signal(number)
                host.wait(30)
                self.assertTrue(until(lambda left=others: not set(left) & set(processes()), 10))
                self.assert_nothing_is_left()

    def test_not_installed(self):
        """The library alone: an error, and no check in this process after all."""
        alone = self.folder / "lib"
        alone.mkdir()
        shutil.copy(LIBRARY, alone / "libtilerace.so.2")
        done = subprocess.run([sys.executable, "-c", "import sys, tilerace; tilerace.check(sys.argv[1], isolate=True)",
                               str(self.three)], env={**os.environ, "TILERACE_LIBRARY": str(alone / "libtilerace.so.2")},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("tilerace-isolated is not installed beside libtilerace", done.stderr)


    def test_library_is_replaced(self):
        """While a host runs that has loaded the one before: results of another form would be misread."""
        folder = self.folder / "lib"
        (folder / "tilerace").mkdir(parents=True)
        for name in ("tilerace-isolated", "tilerace-guard"):
            shutil.copy(pathlib.Path(LIBRARY).parents[1] / name, folder / "tilerace")
        library = folder / "libtilerace.so.2"
        shutil.copy(LIBRARY, library)
        program = ("import os, sys, tilerace\nfrom tilerace import _library\n_library.library()\n"
                   "new = open(sys.argv[2], 'rb').read().replace(b'tilerace isolated ', b'tilerace isolatet ')\n"
                   "os.unlink(sys.argv[2])\nopen(sys.argv[2], 'wb').write(new)\n"
                   "tilerace.check(sys.argv[1], isolate=True)")
        done = subprocess.run([sys.executable, "-c", program, str(MODULE), str(library)],
                              env={**os.environ, "TILERACE_LIBRARY": str(library)}, capture_output=True, text=True,
                              check=False)
        self.assertIn("libtilerace was replaced by another one since this process loaded it", done.stderr)


class Hosts(Case):
    def in_host(self, before):
        """The same check in a process of its own that first runs those lines."""
        program = f"import os, signal, sys, threading\n{before}\nimport tilerace\n" \
                  "print([k.name for k in tilerace.check(sys.argv[1], isolate=True).kernels])\nos._exit(0)"
        program = program.replace("os._exit", "sys.stdout.flush(); os._exit")
        done = subprocess.run([sys.executable, "-c", program, str(self.three)], capture_output=True, text=True,
                              check=False, timeout=120)
        self.assertEqual(done.stdout, "['first', 'stream_k', 'last']\n", done.stderr)
        return done

    def test_children_are_ignored(self):
        self.in_host("signal.signal(signal.SIGCHLD, signal.SIG_IGN)")

    def test_somebody_waits_for_any_child(self):
        self.in_host("def reap():\n    while True:\n        try: os.waitpid(-1, 0)\n        except ChildProcessError: pass\n"
                     "threading.Thread(target=reap, daemon=True).start()")

    def test_signals_are_blocked(self):
        self.in_host("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)")

    def test_closed_streams(self):
        """Its pipes do not take the place of a stream that the host has not."""
        self.in_host("os.close(0)")

    def test_threads(self):
        """Several ask at once, beside threads that allocate all the time."""
        self.in_host("def busy():\n    while True: [bytearray(n) for n in range(1, 100000, 999)]\n"
                     "[threading.Thread(target=busy, daemon=True).start() for _ in range(4)]")
        came = []
        threads = [threading.Thread(target=lambda: came.append(self.verdicts(tilerace.check(self.three, isolate=True))))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        self.assertEqual(len(came), 4)
        self.assertEqual(len({str(one) for one in came}), 1)
        self.assert_nothing_is_left()

    def test_descriptors(self):
        """None of ours is open in a process that checks, inheritable or not."""
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        ours = os.readlink(f"/proc/self/fd/{writing}")
        thread, _ = self.hang(time_ms=3000)
        others = [one for one in descendants(os.getpid()) if one in processes()]
        self.assertGreaterEqual(len(others), 3)
        for one in others:
            links = []
            for link in pathlib.Path(f"/proc/{one}/fd").iterdir():
                try:
                    links.append(os.readlink(link))
                except FileNotFoundError:
                    pass
            self.assertNotIn(ours, links)
        thread.join(60)
        os.close(reading)
        os.close(writing)


class Options(Case):
    def test_older_callers(self):
        """Options that end before `isolate` are those of a caller who does not know it."""
        options = _check._options({**_check.DEFAULTS, "isolate": True})
        options.size = _library.Options.names.offset + _library.Options.names.size
        with tempfile.TemporaryDirectory():
            result = _library.library().tilerace_check_file(os.fsencode(MODULE.with_name("add_vectors.tilebc")),
                                                            ctypes.byref(options))
        self.assertEqual(_library.library().tilerace_kernel_count(result), 1)
        _library.library().tilerace_free(result)

    def test_limits_need_isolation(self):
        with self.assertRaisesRegex(tilerace.InputError, "isolate"):
            tilerace.check(self.three, memory_mb=100)


if __name__ == "__main__":
    unittest.main()

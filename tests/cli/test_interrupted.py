"""Signals and progress: what is decided is printed, nothing is left running, the terminal is clean.

    test_interrupted.py TILERACE
"""

import json
import os
import pathlib
import pty
import re
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
RACY = "build/fixtures/races/vector_add_unread_axis.c"
SLOW = "kernels/stream_k.c"  # asks the solver, as the other two do not
LAST = "kernels/vector_add.c"


def is_running(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def solver(self):
        """One that never answers, and has started a child of its own."""
        path = self.folder / "solver"
        path.write_text(f"#!/bin/sh\nsleep 1000 & echo $$ $! >>{self.folder}/pids; wait\n")
        path.chmod(stat.S_IRWXU)
        return str(path)

    def hangs(self):
        """Until the solver of a file hangs: then those before it are done."""
        end = time.monotonic() + 20
        while not (self.folder / "pids").exists():
            self.assertLess(time.monotonic(), end, "no solver was started")
            time.sleep(0.02)
        time.sleep(0.1)

    def left_running(self):
        return [word for word in (self.folder / "pids").read_text().split() if is_running(word)]

    def start(self, *words, files=(RACY, SLOW, LAST), **more):
        run = subprocess.Popen([TILERACE, "check", "-j1", "--no-cache", "--solver", self.solver(), *words, *files],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.kill)
        return run

    def interrupt(self, *words, by=signal.SIGINT):
        run = self.start(*words)
        self.hangs()
        began = time.monotonic()
        run.send_signal(by)
        out, err = run.communicate(timeout=30)
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual(self.left_running(), [])
        return run.returncode, out, err


class Signals(Case):
    def test_what_is_decided(self):
        code, out, err = self.interrupt()
        self.assertEqual(code, 130, err)
        self.assertIn(f"{RACY}:22:5: error: different tile blocks write the same elements of 'c'", out)
        for file in (SLOW, LAST):
            self.assertIn(f"{file}: error: was not checked: the run was interrupted\n", out)
        self.assertIn("1 kernel: 0 proved race-free, 0 conditional, 1 racy, 0 unknown", out)
        self.assertEqual(err, "tilerace: interrupted: 1 of 3 files were checked\n")

    def test_terminated(self):
        self.assertEqual(self.interrupt("-q", by=signal.SIGTERM)[0], 143)

    def test_every_format_is_whole(self):
        paths = {name: self.folder / f"out.{name}" for name in
                 ("json", "sarif", "junit", "gitlab", "html", "markdown", "github")}
        words = [word for name, path in paths.items() for word in ("-o", f"{name}={path}")]
        code, _, _ = self.interrupt(*words)
        self.assertEqual(code, 130)
        report = json.loads(paths["json"].read_text())
        self.assertEqual([given["status"] for given in report["inputs"]], ["checked", "error", "error"])
        self.assertEqual(report["inputs"][0]["kernels"][0]["verdict"], "race")
        results = json.loads(paths["sarif"].read_text())["runs"][0]["results"]
        self.assertEqual([result["ruleId"] for result in results], ["TR001", "TR901", "TR901"])
        suite = xml.dom.minidom.parse(str(paths["junit"]))
        self.assertEqual(len(suite.getElementsByTagName("testcase")), 3)
        self.assertEqual(len(json.loads(paths["gitlab"].read_text())), 3)
        self.assertTrue(paths["html"].read_text().endswith("</html>\n"))
        for name in ("html", "markdown", "github"):
            self.assertIn("not checked", paths[name].read_text(), name)

    def test_second_signal_ends_at_once(self):
        """Even where the report cannot be written: nobody reads this pipe."""
        os.mkfifo(self.folder / "pipe")
        run = self.start("-o", str(self.folder / "pipe"))
        self.hangs()
        run.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(run.poll(), "the report was written to a pipe without a reader")
        began = time.monotonic()
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(timeout=10), 130)
        self.assertLess(time.monotonic() - began, 2)
        self.assertEqual(self.left_running(), [])

    def test_ignored_stays_ignored(self):
        run = self.start(preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.hangs()
        run.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(timeout=10), 143)

    def test_a_run_that_is_not_interrupted(self):
        """The same bytes with and without what watches it."""
        plain = subprocess.run([TILERACE, "check", RACY], capture_output=True, text=True, check=False)
        self.assertEqual((plain.returncode, plain.stderr), (1, ""))
        told = subprocess.run([TILERACE, "check", "-v", "--no-cache", RACY], capture_output=True, text=True, check=False)
        self.assertRegex(told.stderr, rf"^tilerace: {RACY}: 1 kernel, \d+\.\d\d s\ntilerace: workers were [^\n]*\n$")


class Progress(Case):
    def on_terminal(self, *words, until=None, files=(RACY, SLOW), term="xterm", out=None):
        """Standard error is a terminal, standard output a file; Ctrl-C once `until` is seen."""
        with open(self.folder / "stdout", "w+") as stdout:
            process, end = pty.fork()
            if process == 0:
                os.dup2(stdout.fileno(), 1)
                os.environ["TERM"] = term
                os.execv(TILERACE, [TILERACE, "check", "-j1", "--no-cache", *words, *files])
            seen, begun = "", time.monotonic()
            while True:
                ready, _, _ = select.select([end], [], [], 0.05)
                if ready:
                    try:
                        seen += os.read(end, 65536).decode(errors="replace")
                    except OSError:
                        break
                self.assertLess(time.monotonic() - begun, 60, seen)
                late = time.monotonic() - begun > 3
                if until and (re.search(until, seen) or late):
                    os.write(end, b"\x03")
                    until = None
            _, status = os.waitpid(process, 0)
            stdout.seek(0)
            return os.waitstatus_to_exitcode(status), stdout.read(), seen

    def test_line(self):
        wanted = rf"tilerace: 1 of 2 files; {SLOW}: 'stream_k', "
        code, out, seen = self.on_terminal("--solver", self.solver(), until=wanted)
        self.assertEqual(code, 130)
        self.assertRegex(seen, rf"\r\x1b\[K{wanted}(access summary|proving)")
        # The last that is written of it takes it off again, before anything else.
        tail = seen[seen.rindex("\r\x1b[K"):]
        self.assertRegex(tail, r"^\r\x1b\[Ktilerace: interrupted: 1 of 2 files were checked\r\n$")
        self.assertNotIn("\x1b", out)
        self.assertIn("[TR001]", out)

    def test_nothing_of_short_work(self):
        code, out, seen = self.on_terminal(files=(RACY,))
        self.assertEqual((code, seen), (1, ""))
        self.assertIn("[TR001]", out)

    def test_nothing_where_it_is_not_wanted(self):
        for words, term in ((["-q"], "xterm"), ([], "dumb")):
            (self.folder / "pids").unlink(missing_ok=True)
            _, _, seen = self.on_terminal(*words, "--solver", self.solver(), term=term, until="never")
            self.assertNotIn("\x1b", seen)
            self.assertNotIn(" files; ", seen)

    def test_names_move_no_cursor(self):
        evil = self.folder / "a\x1b[2J\x07\u009bb\n.c"
        evil.write_text(pathlib.Path(SLOW).read_text())
        _, _, seen = self.on_terminal("--solver", self.solver(), files=(str(evil),), until=r" files; ")
        self.assertIn("a?[2J???b?.c: ", seen)
        self.assertEqual(set(re.findall(r"\x1b.[^\x1b]?", seen)), {"\x1b[K"})


if __name__ == "__main__":
    unittest.main()

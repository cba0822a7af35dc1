"""What shells complete: asked of the program, and typed into bash, zsh and fish with a tab.

    test_completions.py TILERACE      (a shell that is not there is skipped, and named)
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "analyzer/driver/completions"


def asked(*words):
    done = subprocess.run([TILERACE, "completions", "bash", "--", *words], capture_output=True,
                          text=True, check=True, timeout=60)
    kind, *lines = done.stdout.splitlines()
    for line in lines:
        assert line.count("\t") == 1, line
    return kind, [line.split("\t")[0] for line in lines]


class Asked(unittest.TestCase):
    def test_commands(self):
        kind, words = asked("")
        self.assertEqual(kind, "words")
        for command in ("check", "explain", "completions", "exec"):
            self.assertIn(command, words)
        self.assertEqual(asked("che"), ("words", ["check"]))
        self.assertEqual(asked(), ("words", words))
        self.assertEqual(asked("zzz"), ("words", []))

    def test_options(self):
        self.assertEqual(asked("check", "--for"), ("words", ["--format"]))
        _, words = asked("check", "-")
        self.assertIn("--strict", words)
        self.assertIn("-q", words)
        self.assertNotIn("--seed", words)
        self.assertIn("--seed", asked("run", "-")[1])
        self.assertEqual(asked("-"), ("words", ["--help", "--version", "-h"]))
        self.assertEqual(asked("check", "a.c", "--", "--for"), ("files", []))

    def test_values(self):
        self.assertIn("sarif", asked("check", "--format", "")[1])
        self.assertEqual(asked("check", "--format", "sa")[1], ["sarif"])
        self.assertEqual(asked("check", "--format=sa")[1], ["--format=sarif"])
        self.assertEqual(asked("run", "--format", "")[1], ["text", "json", "html"])
        self.assertEqual(asked("check", "--color", "")[1], ["auto", "always", "never"])
        self.assertEqual(asked("check", "--color=n")[1], ["--color=never"])
        self.assertEqual(asked("run", "--device", "g")[1], ["gpu"])
        self.assertEqual(asked("check", "--jobs", "")[1], [])
        self.assertEqual(asked("check", "-o", ""), ("files", []))
        self.assertEqual(asked("check", "-p", ""), ("folders", []))
        self.assertEqual(asked("check", "--launch=x"), ("files", []))
        self.assertEqual(asked("check", "--solver", ""), ("programs", []))
        self.assertEqual(asked("check", "--zzz=", ""), ("files", []))

    def test_lists(self):
        self.assertIn("race", asked("check", "--fail-on", "")[1])
        words = asked("check", "--fail-on", "race,")[1]
        self.assertIn("race,unknown", words)
        self.assertNotIn("race,race", words)
        self.assertEqual(asked("check", "--fail-on=race,unk")[1], ["--fail-on=race,unknown"])

    def test_arguments(self):
        self.assertEqual(asked("check", ""), ("files", []))
        self.assertEqual(asked("check", "--strict", "kern"), ("files", []))
        self.assertEqual(asked("completions", ""), ("words", ["bash", "zsh", "fish"]))
        self.assertIn("check", asked("manual", "")[1])
        self.assertEqual(asked("explain", "TR00")[1], [f"TR00{i}" for i in range(1, 10)])
        self.assertEqual(asked("explain", "inter-block-write-w")[1], ["inter-block-write-write"])
        self.assertIn("race-free", asked("explain", "")[1])
        self.assertEqual(asked("config", "s"), ("words", ["show"]))
        self.assertEqual(asked("config", "show", ""), ("files", []))
        self.assertEqual(asked("diff", "a.json", ""), ("files", []))
        self.assertEqual(asked("compile", "a.c", ""), ("files", []))
        self.assertEqual(asked("explain", "TR001", "TR90"), ("words", ["TR900", "TR901", "TR902", "TR903"]))
        self.assertEqual(asked("exec", "--dry-run", "py"), ("programs", []))
        self.assertEqual(asked("exec", "--", "python3", "tr"), ("programs", []))
        self.assertEqual(asked("cc", "-O2", ""), ("files", []))
        self.assertEqual(asked("clean", ""), ("folders", []))

    def test_every_word_is_one_line(self):
        """No help text and no name can break what a shell reads."""
        for command in asked("")[1]:
            asked(command, "")
            asked(command, "-")

    def test_scripts(self):
        for shell, name in (("bash", "tilerace.bash"), ("zsh", "_tilerace"), ("fish", "tilerace.fish")):
            done = subprocess.run([TILERACE, "completions", shell], capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, (SCRIPTS / name).read_text())


class Terminal:
    """A shell at the end of a pseudo-terminal."""

    def __init__(self, words, folder, environment):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)
        self.seen = ""

    def until(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.seen, re.S)):
            ready, _, _ = select.select([self.end], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"no {pattern!r} in {self.seen[-2000:]!r}")
            self.seen += os.read(self.end, 65536).decode(errors="replace")
        self.seen = self.seen[found.end():]
        return found

    def type(self, keys):
        os.write(self.end, keys.encode())

    def close(self):
        os.close(self.end)
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)


class Shell:
    """Types what is there so far and a tab; then what became of it is printed by the shell itself."""

    settle = 0.0

    def setUp(self):
        if not shutil.which(self.name):
            self.skipTest(f"{self.name} is not there (ci/setup.sh installs it)")
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "home").mkdir()
        (self.folder / "work").mkdir()
        (self.folder / "work/a kernel.c").write_text("")
        # What lies in the current folder under our name is not run.
        (self.folder / "work/tilerace").write_text("#!/bin/sh\ntouch ran\n")
        (self.folder / "work/tilerace").chmod(0o755)
        environment = {"PATH": f"{os.path.dirname(TILERACE)}:{os.environ['PATH']}", "TERM": "vt100",
                       "HOME": str(self.folder / "home"), "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null"}
        words, more = self.start()
        self.shell = Terminal(words, self.folder / "work", {**environment, **more})
        self.addCleanup(self.shell.close)
        self.prepare()

    def complete(self, typed):
        # Ctrl-A: what follows goes in front of the line.
        self.shell.type(typed + "\t")
        time.sleep(self.settle)
        self.shell.type("\x01printf '<%s>' '' \x05 '.';echo DO''NE\r")
        text = self.shell.until(r"\n(?:[^\n]*\r)?[^\n]*?<>(<.*?)<\.>.*?DONE\r?\n").group(1)
        return re.findall(r"<(.*?)>", text)

    def test_tab(self):
        self.assertEqual(self.complete("tilerace expl"), ["tilerace", "explain"])
        self.assertEqual(self.complete("tilerace check --form"), ["tilerace", "check", "--format"])
        self.assertEqual(self.complete("tilerace check --format sar"), ["tilerace", "check", "--format", "sarif"])
        self.assertEqual(self.complete("tilerace check --format=sar"), ["tilerace", "check", "--format=sarif"])
        self.assertEqual(self.complete("tilerace check --fail-on race,unk")[3:], ["race,unknown"])
        self.assertEqual(self.complete("tilerace explain inter-block-write-w"),
                         ["tilerace", "explain", "inter-block-write-write"])
        self.assertEqual(self.complete("tilerace explain TR00 TR90")[-1], "TR90")  # two: left as it is
        self.assertEqual(self.complete("tilerace check a"), ["tilerace", "check", "a kernel.c"])
        self.assertEqual(self.complete("tilerace check --launch=a"), ["tilerace", "check", "--launch=a kernel.c"])
        self.assertEqual(self.complete("./tilerace expl")[0], "./tilerace")
        self.assertFalse((self.folder / "work/ran").exists(), "a program of the current folder was run")


class Bash(Shell, unittest.TestCase):
    name = "bash"

    def start(self):
        return ["bash", "--norc", "--noprofile", "-i"], {"PS1": "$ "}

    def prepare(self):
        self.shell.type(f"source {SCRIPTS}/tilerace.bash; echo REA''DY\r")
        self.shell.until("READY\r?\n")


class BashCompletion(Bash):
    """The package that loads a command's completion when it is first completed."""

    package = "/usr/share/bash-completion/bash_completion"

    def prepare(self):
        if not os.path.exists(self.package):
            self.skipTest("bash-completion is not there (ci/setup.sh installs it)")
        to = self.folder / "share/bash-completion/completions"
        to.mkdir(parents=True)
        shutil.copy(SCRIPTS / "tilerace.bash", to / "tilerace")
        self.shell.type(f"export XDG_DATA_DIRS={self.folder}/share; source {self.package}; echo REA''DY\r")
        self.shell.until("READY\r?\n")


class Zsh(Shell, unittest.TestCase):
    name = "zsh"

    def start(self):
        return ["zsh", "-f", "-i"], {"PS1": "$ "}

    def prepare(self):
        self.shell.type(f"bindkey -e; unsetopt zle_bracketed_paste; fpath=({SCRIPTS} $fpath); "
                        "autoload -Uz compinit; compinit -u -D; echo REA''DY\r")
        self.shell.until("READY\r?\n")


class Fish(Shell, unittest.TestCase):
    name = "fish"
    settle = 0.4

    def start(self):
        to = self.folder / "share/fish/vendor_completions.d"
        to.mkdir(parents=True)
        shutil.copy(SCRIPTS / "tilerace.fish", to)
        return ["fish", "--no-config", "-i"], {"XDG_DATA_DIRS": f"{self.folder}/share:/usr/share"}

    def prepare(self):
        self.shell.type(f"source {self.folder}/share/fish/vendor_completions.d/tilerace.fish; echo REA''DY\r")
        self.shell.until("READY\r?\n")


if __name__ == "__main__":
    unittest.main()

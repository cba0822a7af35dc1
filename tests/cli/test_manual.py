"""Manual pages: one for the program and one for each command, which man and mandoc take as they are.

    test_manual.py TILERACE      (mandoc and man are skipped, and named, where they are not there)
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1))
OPTIONS = pathlib.Path(__file__).resolve().parents[2] / "docs/options.md"


def output(*words):
    return subprocess.run([TILERACE, *words], capture_output=True, text=True, check=True, timeout=60).stdout


class Manual(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        subprocess.run([TILERACE, "manual", "-o", self.folder], check=True)
        self.pages = sorted(self.folder.glob("*.1"))

    def need(self, program):
        if not shutil.which(program):
            self.skipTest(f"{program} is not there (ci/setup.sh installs it)")

    def read(self, page):
        done = subprocess.run(["mandoc", "-T", "utf8", page], capture_output=True, text=True, check=True)
        return re.sub(r".\x08", "", done.stdout)

    def test_a_page_for_each_command(self):
        commands = re.findall(r"(?m)^## `tilerace ([^\s`]+)", OPTIONS.read_text())
        self.assertIn("check", commands)
        self.assertEqual({page.stem for page in self.pages},
                         {"tilerace", *(f"tilerace-{command}" for command in commands)})
        self.assertEqual((self.folder / "tilerace-check.1").read_text(), output("manual", "check"))
        self.assertEqual((self.folder / "tilerace.1").read_text(), output("manual"))

    def test_what_mandoc_says(self):
        self.need("mandoc")
        for page in self.pages:
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), page.name)

    def test_what_man_says(self):
        self.need("man")
        for page in self.pages:
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
                                  capture_output=True, text=True, check=False,
                                  env={**os.environ, "LC_ALL": "C.UTF-8"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    def test_every_option_is_there(self):
        """With the words of docs/options.md, which the same tables give."""
        self.need("mandoc")
        for section in OPTIONS.read_text().split("\n## `tilerace ")[1:]:
            command, rest = section.split(None, 1)
            page = " ".join(self.read(self.folder / f"tilerace-{command.strip('`')}.1").split())
            if command.strip("`") in ("cc", "nvcc", "tileiras"):
                continue
            for name in re.findall(r"(?m)^\| `(?:-\w, )?(--[\w-]+)", rest.split("\n## ")[0]):
                self.assertIn(name, page.replace("‐ ", "").replace("\u2010", "-"))
            for section_name in ("NAME", "SYNOPSIS", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"):
                self.assertIn(section_name, page)


if __name__ == "__main__":
    unittest.main()

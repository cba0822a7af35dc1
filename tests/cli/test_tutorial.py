"""docs/tutorial.md, followed from top to bottom in an empty folder, and the commands that other pages
show with what they print.

    test_tutorial.py BUILD_FOLDER PYTHON

PYTHON has cuda-tile, numpy and pytest.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PYTHON = pathlib.Path(sys.argv.pop()).absolute()
BUILD = pathlib.Path(sys.argv.pop()).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# The line before a block of code, the block's language and text.
BLOCK = re.compile(r"([^\n]*)\n\n```(\w*)\n(.*?)```\n", re.DOTALL)


class Followed(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_command(self, command, folder=None):
        environment = dict(os.environ, PATH=f"{BUILD}:{PYTHON.parent}:{os.environ['PATH']}",
                           PYTHONPATH=str(ROOT / "python"), TILERACE_PROGRAM=str(BUILD / "tilerace"),
                           TILERACE_CACHE_DIR=str(self.folder / "cache"))
        if "pytest" in command:
            command += " -p pytest_tilerace"
        done = subprocess.run(command, shell=True, cwd=folder or self.folder, env=environment, capture_output=True,
                              text=True, check=False)
        return (done.stdout + done.stderr).replace(f"{self.folder}/", "")

    def follow(self):
        """What each command printed, by the command."""
        said = {}
        for before, kind, text in BLOCK.findall((DOCS / "tutorial.md").read_text()):
            if kind == "python":
                name = re.search(r"`([\w-]+\.py)`:$", before)[1]
                (self.folder / name).write_text(text)
            elif kind == "console":
                command, *shown = text.splitlines()
                command = command.removeprefix("$ ")
                said[command] = self.run_command(command)
                for line in shown:
                    self.assertIn(line, said[command].splitlines(), command)
        return said

    def test_tutorial(self):
        said = self.follow()
        self.assertEqual(len(said), 6)
        check, tests = list(said.values())[2], list(said.values())[-1]
        self.assertIn("race-free: 'add' cannot race", check)
        self.assertIn("    requires: ", check)
        self.assertIn("    requires (standing): ", check)
        self.assertIn("3 passed", tests)
        test = self.folder / "test_add.py"
        test.write_text(test.read_text().replace("index=(block,), tile", "index=(block // 2,), tile"))
        self.assertIn("2 failed, 1 passed", self.run_command("pytest -q --tilerace=interpret test_add.py"))

    def test_baseline(self):
        """The two commands of step 7."""
        self.follow()
        (self.folder / "k.c").write_text((ROOT / "build" / "fixtures" / "races" / "matmul_swizzle_ragged_group.c").read_text())
        first, second = next(text for _, kind, text in BLOCK.findall((DOCS / "tutorial.md").read_text())
                             if "baseline" in text).splitlines()
        self.run_command(first)
        self.assertIn("1 in the baseline", self.run_command(second + " && echo passed"))

    def test_swizzle(self):
        """The article's commands print what it shows."""
        blocks = re.findall(r"```\n\$ (.*?)\n(.*?)```", (DOCS / "proving-a-swizzle.md").read_text(), re.DOTALL)
        self.assertEqual(len(blocks), 2)
        for command, shown in blocks:
            self.assertEqual(self.run_command(command, ROOT), shown)

    def test_swizzle_lines(self):
        """The lines of the kernel that the article speaks of are the kernel's."""
        lines = re.search(r"```c\n(.*?)```", (DOCS / "proving-a-swizzle.md").read_text(), re.DOTALL)[1].splitlines()
        kernel = [line.strip() for line in (ROOT / "kernels" / "matmul_swizzle.c").read_text().splitlines()]
        start = kernel.index(lines[0])
        self.assertEqual(kernel[start:start + len(lines)], lines)


if __name__ == "__main__":
    unittest.main()

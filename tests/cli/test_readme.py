"""The README's first screen, as somebody follows it: its program, and what is printed of it.

    test_readme.py BUILD_FOLDER PYTHON

PYTHON has cuda-tile and numpy.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PYTHON = pathlib.Path(sys.argv.pop()).absolute()
BUILD = pathlib.Path(sys.argv.pop()).resolve()
TEXT = (pathlib.Path(__file__).parents[2] / "README.md").read_text()


def block(first):
    """The code block that begins so."""
    return next(part for part in TEXT.split("```") if part.startswith(first))[len(first):]


class Readme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = block("python\n")
        self.command, said = block("\n$ ").split("\n", 1)
        self.said = said.splitlines()

    def follow(self, text):
        (self.folder / "scale.py").write_text(text)
        environment = dict(os.environ, PATH=f"{BUILD}:{PYTHON.parent}:{os.environ['PATH']}")
        return subprocess.run(self.command, shell=True, cwd=self.folder, env=environment,
                              capture_output=True, text=True, check=False)

    def test_racy(self):
        done = self.follow(self.program)
        self.assertEqual(done.returncode, 1, done.stderr)
        said = done.stderr.replace(f"{self.folder}/", "").splitlines()
        for line in self.said[1:]:  # the first one is of machines without a GPU
            self.assertIn(line, said)

    def test_mended(self):
        self.assertIn("block // 2", self.program)
        done = self.follow(self.program.replace("block // 2", "block"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("error", done.stderr)
        self.assertIn("1 proved", done.stderr)
        self.assertIn("1 held", done.stderr)


if __name__ == "__main__":
    unittest.main()

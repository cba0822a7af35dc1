"""The README as somebody follows it: its program, what is printed of it, the picture of that race,
and the figures, which have to stand on the pages that they name. Also the other pictures of docs/.

    test_readme.py BUILD_FOLDER PYTHON

PYTHON has cuda-tile and numpy. With TILERACE_UPDATE=1 pictures are drawn anew.
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
TEXT = (ROOT / "README.md").read_text()
sys.path.insert(0, str(ROOT / "tests" / "tools"))
import page_picture  # noqa: E402


def block(first):
    """The code block that begins so."""
    return next(part for part in TEXT.split("```") if part.startswith(first))[len(first):]


class Followed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = block("python\n")
        self.command, said = block("\n$ ").split("\n", 1)
        self.said = said.splitlines()

    def run_in_folder(self, command):
        environment = dict(os.environ, PATH=f"{BUILD}:{PYTHON.parent}:{os.environ['PATH']}")
        return subprocess.run(command, shell=True, cwd=self.folder, env=environment,
                              capture_output=True, text=True, check=False)

    def follow(self, text):
        (self.folder / "scale.py").write_text(text)
        return self.run_in_folder(self.command)

    def drawn(self, name, command):
        """The page that the command writes to page.html has the picture docs/pictures/NAME."""
        done = self.run_in_folder(command)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        svg = page_picture.picture(self.folder / "page.html")
        kept = ROOT / "docs" / "pictures" / name
        if svg is None:
            self.skipTest("no Chromium to draw it with")
        if os.environ.get("TILERACE_UPDATE"):
            kept.write_text(svg)
        self.assertEqual(kept.read_text(), svg)


class Readme(Followed):
    def test_racy(self):
        done = self.follow(self.program)
        self.assertEqual(done.returncode, 1, done.stderr)
        said = done.stderr.replace(f"{self.folder}/", "").splitlines()
        self.assertGreater(len(self.said), 5)
        for line in self.said:
            self.assertIn(line, said)

    def test_corrected(self):
        self.assertIn("within // 4", self.program)
        done = self.follow(self.program.replace("within // 4", "within // height"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("error", done.stderr)
        self.assertIn("1 proved", done.stderr)
        self.assertIn("1 held", done.stderr)

    def test_sizes_that_hide_it(self):
        """The README says that a height that is a multiple of 64 hides the mistake."""
        for rows in (64, 128, 192):
            text = self.program.replace("(96, 64)", f"({rows}, 64)").replace("(24,)", f"({rows // 4},)")
            done = self.follow(text)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_picture(self):
        self.follow(self.program)
        self.drawn("scale.svg", "tilerace check --format html -o page.html .tilerace")

    def test_figures(self):
        """Each figure of the table, in bold, stands on the page that its row names."""
        rows = re.findall(r"^\| .*\*\*.*\|$", TEXT, re.MULTILINE)
        self.assertGreater(len(rows), 4)
        for row in rows:
            page = re.search(r"\]\((docs/[\w./-]+)(?:#[\w-]+)?\) \|$", row)[1]
            text = (ROOT / page).read_text()
            for figure in re.findall(r"\*\*([^*]+)\*\*", row):
                self.assertTrue(figure in text, f"{figure} is not in {page}: {row}")


class Pictures(Followed):
    def test_swizzle(self):
        kernel = ROOT / "kernels" / "matmul_swizzle.c"
        self.drawn("swizzle.svg", f"tilerace check --no-cache --format html -o page.html {kernel}")


if __name__ == "__main__":
    unittest.main()

"""Programs in cuTile Python with a mistake and without it, after public reports, run unchanged under
`tilerace exec --dry-run`: the mistake is told at the kernel's line and at the line of the launch, and
the right program is clean.

    test_exec_pairs.py BUILD_FOLDER PYTHON

PYTHON has cuda-tile and numpy. A program in pairs/ makes the mistake when it is called with the word
"before". The line that ends in a comment `# TR...` is where this rule is reported, the line that ends
in `# launch` is that of the launch.
"""
import pathlib
import re
import subprocess
import sys
import unittest

BUILD, PYTHON = (pathlib.Path(word).absolute() for word in sys.argv[1:3])
del sys.argv[1:3]
PROGRAMS = pathlib.Path(__file__).parent / "pairs"


def mark(program, pattern):
    """(line, text) of the comment at a line's end."""
    found = [(n, match[1]) for n, line in enumerate(program.read_text().splitlines(), 1)
             if (match := re.search(pattern, line))]
    assert len(found) == 1, f"{program}: {pattern}"
    return found[0]


class Pairs(unittest.TestCase):
    def run_program(self, program, *words):
        return subprocess.run([BUILD / "tilerace", "exec", "--dry-run", "--no-recording", "--", PYTHON,
                               program, *words], capture_output=True, text=True, check=False,
                              timeout=120)

    def test_pairs(self):
        programs = sorted(PROGRAMS.glob("*.py"))
        self.assertGreaterEqual(len(programs), 23)
        for program in programs:
            with self.subTest(program=program.name, words="before"):
                self.expect_mistake(program)
            with self.subTest(program=program.name, words="after"):
                self.expect_clean(program)

    def expect_mistake(self, program):
        line, rule = mark(program, "# (TR[0-9]+)$")
        launch, _ = mark(program, "# (launch)$")
        run = self.run_program(program, "before")
        self.assertEqual((run.returncode, run.stdout), (1, ""), run.stderr)
        self.assertRegex(run.stderr, rf"{program.name}:{line}:[0-9]+: error: .*\[{rule}\]\n")
        self.assertIn(f"{program.name}:{launch}: note: launched here", run.stderr)
        self.assertRegex(run.stderr, r"different launches: [0-9]+ held, 1 raced\n")

    def test_element_of_table(self):
        """A witness names the element of the table that the stored element comes from, or none."""
        columns, tile = 96, 128
        run = self.run_program(PROGRAMS / "rows_of_table.py", "before")
        self.assertIn("stores out[", run.stderr)
        for row, stored in re.findall(r"reads table\[[0-9]+\] = ([0-9]+) and stores out\[([0-9]+)\]",
                                      run.stderr):
            self.assertIn(int(stored) - int(row) * columns, range(tile), run.stderr)
        run = self.run_program(PROGRAMS / "duplicate_rows.py", "before")
        self.assertRegex(run.stderr, r"reads table\[40\] = [0-9]+ and stores")

    def expect_clean(self, program):
        run = self.run_program(program)
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
        self.assertRegex(run.stderr, r"different launches: [1-9][0-9]* held\n")
        self.assertNotRegex(run.stderr, "error|warning|note")


if __name__ == "__main__":
    unittest.main()

"""docs/agents.md, followed word by word in an empty folder: its files, its commands, and what they print.

    test_page.py BUILD_FOLDER PYTHON

PYTHON has cuda-tile and numpy. TILERACE_UPDATE=1 writes what is printed into the page.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PYTHON = pathlib.Path(sys.argv.pop(1)).absolute()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "agents.md"
# A block of code, and the name of the file that it is, the last one in the paragraph before.
BLOCK = re.compile(r"([^\n]*)\n\n```(\w*)\n(.*?)```\n", re.DOTALL)


class Page(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_command(self, command):
        environment = dict(os.environ, PATH=f"{BUILD}:{PYTHON.parent}:{os.environ['PATH']}",
                           PYTHONPATH=str(ROOT / "python"), TILERACE_PROGRAM=str(BUILD / "tilerace"))
        return subprocess.run(command, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True,
                              check=False)

    def follow(self, block):
        """What the page would say in its place."""
        before, kind, text = block.groups()
        said = text
        if kind in ("c", "json", "python"):
            name = re.findall(r"`([\w-]+\.(?:c|json|py))`", before)[-1]
            (self.folder / name).write_text(text)
        elif kind == "":
            command = text.split("\n", 1)[0][len("$ "):]
            if "`i` in place of `i / 2`" in before:
                source = (self.folder / "add.c").read_text()
                self.assertIn("i / 2", source)
                (self.folder / "add.c").write_text(source.replace("i / 2", "i"))
            done = self.run_command(command)
            self.assertEqual(done.returncode, 0, done.stderr)
            said = "$ %s\n%s" % (command, done.stdout)
        elif kind == "sh":
            for command in text.splitlines():
                done = self.run_command(command)
                self.assertIn("different tile blocks write the same elements of", done.stdout + done.stderr)
        return block.group(0).replace(text, said)

    def test_followed(self):
        page = PAGE.read_text()
        followed = BLOCK.sub(self.follow, page)
        if os.environ.get("TILERACE_UPDATE"):
            PAGE.write_text(followed)
        self.assertEqual(followed.splitlines(), page.splitlines())
        # What the page says of the answer as an object is there.
        answer = json.loads(self.run_command("tilerace judge --format json context.json").stdout)
        self.assertEqual(answer["classification"], "valid")
        for key in re.findall(r"^\| `tilerace\.(\w+)", page, re.MULTILINE):
            self.assertIn(key, answer["tilerace"])

    def test_right_ones(self):
        """The Python that the page shows, corrected."""
        list(map(self.follow, BLOCK.finditer(PAGE.read_text())))
        source = self.folder / "candidate.py"
        source.write_text(source.read_text().replace("block // 2", "block"))
        self.assertIn("candidate.py: passed", self.run_command("python3 -m tilerace judge python-context.json").stdout)
        done = self.run_command("tilerace exec -- python3 program.py")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_links(self):
        """Of the page and of llms.txt: files, and their sections."""
        for file in (PAGE, ROOT / "llms.txt"):
            for target in re.findall(r"\]\(([^)]+)\)", file.read_text()):
                name, _, section = target.partition("#")
                path = file.parent / name if name else file
                self.assertTrue(path.exists(), target)
                if section:
                    titles = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
                    slugs = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles]
                    self.assertIn(section, slugs, target)


if __name__ == "__main__":
    unittest.main()

"""Tests that fill a folder of their own and run the program in it."""

import pathlib
import subprocess
import tempfile
import unittest


class FolderCase(unittest.TestCase):
    maxDiff = None
    tilerace = "tilerace"  # the program
    name = "repository"  # of the folder, in a temporary one

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name).resolve()
        self.folder = self.top / self.name
        self.folder.mkdir()

    def write(self, name, content=""):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def run_tool(self, *words, code=0, out="", err="", where=".", **how):
        """Expects the exit code, and what is said on standard output and error."""
        done = subprocess.run(
            [self.tilerace, *words],
            capture_output=True, text=True, check=False, cwd=self.folder / where, timeout=120, **how,
        )  # fmt: skip
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(out, done.stdout)
        self.assertIn(err, done.stderr)
        return done

    def check(self, *words, **more):
        return self.run_tool("check", *words, **more)

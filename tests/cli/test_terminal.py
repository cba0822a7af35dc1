"""Text on a terminal: links to places and rules, colours, and names that would move the cursor.

    test_terminal.py TILERACE
"""

import os
import pathlib
import pty
import re
import socket
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path.cwd()
RACY = "build/fixtures/races/vector_add_unread_axis.c"
LINK = re.compile("\x1b\\]8;;([^\x1b]*)\x1b\\\\(.*?)\x1b\\]8;;\x1b\\\\", re.S)


def clean_environment(**more):
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "FORCE_HYPERLINK", "TERM")}
    return {**kept, **more}


def on_terminal(*words, **environment):
    process, end = pty.fork()
    if process == 0:
        os.execve(TILERACE, [TILERACE, "check", *words], clean_environment(**{"TERM": "xterm-256color", **environment}))
    seen = b""
    while True:
        try:
            piece = os.read(end, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.waitpid(process, 0)
    os.close(end)
    return seen.decode(errors="replace").replace("\r\n", "\n")


def in_pipe(*words, **environment):
    return subprocess.run([TILERACE, "check", *words], capture_output=True, text=True, errors="surrogateescape",
                          check=False, env=clean_environment(TERM="xterm", **environment)).stdout


class Links(unittest.TestCase):
    def test_links(self):
        text = on_terminal(RACY)
        links = LINK.findall(text)
        files = {address for address, shown in links if "TR001" not in shown}
        self.assertEqual(files, {f"file://{socket.gethostname()}{ROOT}/{RACY}"})
        self.assertIn(("https://github.com/tilerace/tilerace/blob/main/docs/rules/TR001.md", "TR001"), links)
        # Without them the text is what it is without them.
        self.assertEqual(LINK.sub(r"\2", text), on_terminal(RACY, FORCE_HYPERLINK="0"))
        self.assertEqual(re.sub("\x1b\\[[\\d;]*m", "", LINK.sub(r"\2", text)), in_pipe(RACY))

    def test_where_there_are_none(self):
        self.assertEqual(LINK.findall(in_pipe(RACY)), [])
        self.assertEqual(LINK.findall(in_pipe(RACY, FORCE_COLOR="1")), [])
        for words, environment in (([], {"TERM": "dumb"}), ([], {"TERM": "linux"}), ([], {"TERM": ""}),
                                   (["--color", "never"], {}), ([], {"NO_COLOR": "1"}), ([], {"FORCE_HYPERLINK": "0"})):
            if environment.get("TERM") == "":
                continue
            self.assertNotIn("\x1b]8", on_terminal(*words, RACY, **environment), (words, environment))
        self.assertGreater(len(LINK.findall(in_pipe(RACY, FORCE_HYPERLINK="1"))), 2)
        for name in ("json", "sarif", "github", "markdown"):
            self.assertNotIn("\x1b", in_pipe("--format", name, RACY, FORCE_HYPERLINK="1"))


class Names(unittest.TestCase):
    def test_nothing_moves_the_cursor(self):
        """Names of files and functions, and source lines, come from a checked repository."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(RACY).read_text().replace(
                "tile_store(out, x + y, i);", "tile_store(out, x + y, i); /* \u009b2J \u009b31m \u202e */")
            evil = os.path.join(folder, "k\x1b]8;;evil:\x1b\\\nfake.c:1:1: error: no\x9b\x7f\r.c")
            pathlib.Path(evil).write_text(source)
            for text in (in_pipe(evil), in_pipe(evil, FORCE_HYPERLINK="1"), in_pipe("--color", "always", evil)):
                self.assertIn("[TR001]", LINK.sub(r"\2", text))
                ours = re.sub("\x1b\\[[\\d;]*m", "", LINK.sub(r"\2", text))
                self.assertEqual([c for c in ours if (ord(c) < 32 and c != "\n") or 0x7f <= ord(c) < 0xa0
                                  or c == "\u202e"], [])
                self.assertFalse(any(line.startswith("fake.c") for line in ours.splitlines()))
            for address, _ in LINK.findall(in_pipe(evil, FORCE_HYPERLINK="1")):
                self.assertRegex(address, r"^(file|https)://[\w./%~-]+$")
            for text in (in_pipe(os.path.join(folder, "no\x1b[2Jne.c")),):
                self.assertNotIn("\x1b", text)

    def test_letters_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gr\u00f6\u00dfe \u6838.c")
            pathlib.Path(path).write_text(pathlib.Path(RACY).read_text().replace("@store", "\u00e4\u6838\tx"))
            text = in_pipe(path)
            self.assertIn(f"{path}:22:5: error:", text)
            self.assertIn("// \u00e4\u6838\tx", text)
            self.assertIn("file://", in_pipe(path, FORCE_HYPERLINK="1"))
            self.assertIn("gr%C3%B6%C3%9Fe%20%E6%A0%B8.c", in_pipe(path, FORCE_HYPERLINK="1"))


if __name__ == "__main__":
    unittest.main()

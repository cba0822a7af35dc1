"""Names and lines from a stranger's repository: none moves the cursor of a terminal, begins a line of
its own, or turns the direction of reading, in any format and in no message.

    test_hostile_names.py TILERACE
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
FORMATS = "text json sarif github html markdown junit gitlab".split()
RACY = "#include <tile.h>\ntile_kernel void k(float *restrict x) { tile_grid(8); x[0] = 1; %s }\n"
HOSTILE = [b"\x1b[31m", b"\x1b]8;;file:///etc\x1b\\", b"\nk.c:1:1: race-free", b"\r", b"\x07", b"\x7f", b"\x08\x08",
           b"\xc2\x9b31m", b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", "\u202egnp".encode(), "\u2066x\u2069".encode(),
           "\u2028x".encode(), b"\x01", b"%n%s", b"<script>", b"'\"", b"`$(touch ran)`"]
FEW = HOSTILE[:4] + HOSTILE[7:9] + HOSTILE[11:12]  # where many commands are run
OURS = re.compile("\x1b\\[[0-9;]*m|\x1b\\]8;;(?:https?|file)://[!-~]*\x1b\\\\|\x1b\\]8;;\x1b\\\\")


class Names(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_with(self, *words):
        done = subprocess.run([TILERACE, *words], cwd=self.folder, capture_output=True, check=False, timeout=60,
                              stdin=subprocess.DEVNULL)
        self.assertFalse((self.folder / "ran").exists())
        for output in (done.stdout, done.stderr):
            text = OURS.sub("", output.decode("utf-8"))  # strict: what is no UTF-8 fails here
            if not {"json", "sarif", "gitlab"}.isdisjoint(words):  # data: names are what they are
                text = "".join(c for c in text if c < "\x7f")
            for at, c in enumerate(text):
                is_bad = (unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in "\n\t")
                self.assertFalse(is_bad, f"{c!r} in {text[max(0, at - 60):at + 20]!r}")
        return done

    def lines(self, *words):
        done = self.run_with(*words)
        return (done.stdout + done.stderr).decode().splitlines()

    def test_names_of_files(self):
        (self.folder / "plain.c").write_text(RACY % "")
        plain = len(self.lines("check", "plain.c"))
        for bytes_ in HOSTILE:
            name = os.fsdecode(b"a" + bytes_.replace(b"/", b"_") + b".c")
            (self.folder / name).write_text(RACY % "")
            for color in ("never", "always"):
                with self.subTest((bytes_, color)):
                    self.assertEqual(len(self.lines("check", f"--color={color}", name)), plain)
            for kind in FORMATS:
                with self.subTest((bytes_, kind)):
                    done = self.run_with("check", "--format", kind, name)
                    self.assertEqual(done.returncode, 1, done.stderr)

    def test_names_that_are_not_there(self):
        (self.folder / "good.c").write_text(RACY.replace("x[0]", "x[tile_bid(0)]") % "")
        for bytes_ in FEW:
            name = os.fsdecode(b"a" + bytes_)
            for words in (["check", name], ["check", "--solver", name, "good.c"], ["check", "--launch", name, "good.c"],
                          ["check", "-p", name, "good.c"], [name], ["check", "--" + name], ["check", "--format", name, "good.c"],
                          ["explain", name], ["run", "--witness", name, "good.c"], ["scan", name], ["dump", name],
                          ["check", "good.c", "--", name], ["check", "-o", name + "/x/y", "good.c"], ["nvcc", name],
                          ["check", "--fail-on", name, "good.c"], ["contract", name], ["compile", name, "-o", name]):
                with self.subTest(words):
                    done = self.run_with(*words)
                    self.assertNotEqual(done.returncode, 0, done.stdout)
                    if b"\n" in bytes_:
                        self.assertFalse([line for line in (done.stdout + done.stderr).decode().splitlines()
                                          if line.startswith("k.c:1:1: race-free")])

    def test_lines_of_sources(self):
        for bytes_ in HOSTILE:
            if b"\n" in bytes_ or b"\r" in bytes_ or b"\xe2\x80\xa8" in bytes_:
                continue  # another line
            text = (RACY % "/* F */").encode().replace(b"F", bytes_)
            (self.folder / "k.c").write_bytes(text)
            for words in (["check", "k.c"], ["check", "--color=always", "k.c"], *(["check", "--format", kind, "k.c"] for kind in FORMATS),
                          ["cc", "-c", "-Wrace", "-Wall", "-o", "k.tilebc", "k.c"]):
                with self.subTest((bytes_, words)):
                    self.run_with(*words)

    def test_names_in_contracts(self):
        (self.folder / "k.c").write_text(RACY % "")
        for bytes_ in FEW:
            try:
                name = "x" + bytes_.decode()
            except UnicodeDecodeError:
                continue
            for launch in ({"kernel": name}, {"kernel": "k", "grid": [name]}, {"kernel": "k", "args": [{"name": name}]},
                           {"kernel": "k", "args": [{"name": "x", name: 1}]}, {"kernel": "k", "assume": [name]}):
                (self.folder / "l.json").write_text(json.dumps({"version": 2, "launches": [launch]}))
                with self.subTest((bytes_, launch)):
                    self.run_with("check", "--launch", "l.json", "k.c")
                    self.run_with("run", "--device", "cpu", "--launch", "l.json", "k.c")


if __name__ == "__main__":
    unittest.main()

"""Names and lines from a stranger's repository: none moves the cursor of a terminal, begins a line of
its own, turns the direction of reading or hides something, in any format and in no message; data in
JSON is what it was.

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
import urllib.parse

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))

from formats import FORMATS, parse  # noqa: E402  the folder is known only now

RACY = "#include <tile.h>\ntile_kernel void k(float *restrict x) { tile_grid(8); x[0] = 1; %s }\n"
TURNING = "\u202ax\u202bx\u202cx\u202dx\u202ex\u2066x\u2067x\u2068x\u2069x\u200ex\u200fx\u061cx"
UNSEEN = "x\u200bx\u200cx\u200dx\u2060x\ufeffx\u00adx\u034fx\u180ex\u115fx\u3164x\uffa0x\ufe0fx\u2064x\u206ax\ufff9x"
TAGS = "x" + "".join(chr(0xE0000 + ord(c)) for c in "all is well") + "\U000e007fx\U0001d173"
HOSTILE = [b"\x1b[31m", b"\x1b]8;;file:///etc\x1b\\", b"\nk.c:1:1: race-free", b"\r", b"\x07", b"\x7f", b"\x08\x08",
           b"\xc2\x9b31m", b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", "\u202egnp".encode(), "\u2066x\u2069".encode(),
           "\u2028x".encode(), "\x80x\x85x\x90x\x9d0;x\x9cx\x9f".encode(), TURNING.encode(), UNSEEN.encode(), TAGS.encode(),
           "\u2029k.c:1:1: race-free".encode(), b"\x01", b"%n%s", b"<script>", b"'\"", b"`$(touch ran)`"]
FEW = [*HOSTILE[:4], *HOSTILE[7:9], *HOSTILE[11:12],  # where many commands are run
       *("\u0085\u200e\u2067" + UNSEEN[:7] + TAGS[:4]).encode().split()]
KEPT = ["न्\u200dय", "می\u200cخواهم", "\U0001f469\u200d\U0001f52c", "\u2764\ufe0f\u200d\U0001f525", "é\u0301ñ", "日本"]
OURS = re.compile("\x1b\\[[0-9;]*m|\x1b\\]8;;(?:https?|file)://[!-~]*\x1b\\\\|\x1b\\]8;;\x1b\\\\")


def is_hidden(c):
    return (unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in "\n\t") or c in "\u034f\u115f\u3164\uffa0\ufe0f"


def is_text(name):
    try:
        return bool(name.decode())
    except UnicodeDecodeError:
        return False


def strings(value):
    """All strings of a value of JSON."""
    if isinstance(value, dict):
        return [*value, *(s for of in value.values() for s in strings(of))]
    if isinstance(value, list):
        return [s for of in value for s in strings(of)]
    return [value] if isinstance(value, str) else []


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
            text = OURS.sub("", output.decode("utf-8"))  # strict: what is not UTF-8 fails here
            for at, c in enumerate(text):
                self.assertFalse(is_hidden(c), f"{c!r} in {text[max(0, at - 60):at + 20]!r}")
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
                    self.check_data(kind, done.stdout, name)

    def check_data(self, kind, printed, name):
        """In JSON the name is what it was, where it is UTF-8; sentences for people show nothing hidden."""
        parse(printed.decode())
        if kind not in ("json", "sarif", "gitlab"):
            return
        data = json.loads(printed)
        is_text = not any("\ud800" <= c <= "\udfff" for c in name)
        if kind == "json" and is_text:
            self.assertEqual(data["inputs"][0]["file"], name)
        if kind == "gitlab" and is_text:
            self.assertEqual({one["location"]["path"] for one in data}, {name})
        if kind == "gitlab":
            self.assertFalse([one for one in data if any(map(is_hidden, one["description"]))])
        if kind == "sarif":
            results = data["runs"][0]["results"]
            uris = {where["physicalLocation"]["artifactLocation"]["uri"] for one in results for where in one["locations"]}
            self.assertEqual([os.fsencode(urllib.parse.unquote_to_bytes(uri)) for uri in uris], [os.fsencode(name)])
            said = [s for one in results for s in strings([one["message"], one.get("relatedLocations", []), one.get("codeFlows", [])])]
            self.assertFalse([s for s in said if any(map(is_hidden, s)) or re.search(r"\]\((?![0-9]+\))", s)])

    def test_names_of_kernels(self):
        """Of modules, whose names are any bytes; each is as long as the one that it replaces."""
        own = "k" + "A" * 80
        (self.folder / "k.c").write_text(RACY.replace("void k(", f"void {own}(") % "")
        subprocess.run([TILERACE, "compile", "k.c", "-o", "k.tilebc"], cwd=self.folder, check=True, timeout=60)
        module = (self.folder / "k.tilebc").read_bytes()
        for bytes_ in [*HOSTILE, b"[a](http:b)", b"\\[a\\](1)", b"a | b", b"**a**"]:
            name = (b"k" + bytes_ + b"A" * 80)[:81]
            (self.folder / "h.tilebc").write_bytes(module.replace(own.encode(), name))
            for words in (["check"], ["check", "--color=always"], ["dump"], ["contract"], ["scan"], ["run", "--device", "cpu"],
                          ["run", "--device", "cpu", "--format", "json"], ["run", "--device", "cpu", "--format", "html"],
                          *(["check", "--format", kind] for kind in FORMATS)):
                with self.subTest((bytes_, words)):
                    done = self.run_with(*words, "h.tilebc")
                    if words[-1] in ("sarif", "gitlab") and done.returncode == 1:
                        self.check_data(words[-1], done.stdout, "h.tilebc")
                    if words[-1] == "json":
                        json.loads(done.stdout)
                    if words == ["check", "--format", "json"] and done.returncode == 1:
                        kernel = json.loads(done.stdout)["inputs"][0]["kernels"][0]
                        self.assertEqual(kernel["kernel"], name.decode() if is_text(name) else kernel["kernel"])

    def test_what_scripts_need(self):
        """Joiners and selectors behind what they join are no trick: Persian, Hindi, pictures."""
        for text in KEPT:
            name = f"a{text}.c"
            (self.folder / name).write_text(RACY % "")
            done = subprocess.run([TILERACE, "check", name], cwd=self.folder, capture_output=True, check=False, timeout=60)
            self.assertIn(f"{name}:2:", done.stdout.decode())
            done = subprocess.run([TILERACE, "check", "--format", "json", name], cwd=self.folder, capture_output=True,
                                  check=False, timeout=60)
            self.assertIn(json.dumps(name, ensure_ascii=False), done.stdout.decode())

    def test_pages(self):
        """What the scripts of pages are given is for people too."""
        for bytes_ in (*FEW, b"</script><script>"):
            name = os.fsdecode(b"a" + bytes_.replace(b"/", b"_") + b".c")
            (self.folder / name).write_text(RACY % "")
            for words in (["check", "--format", "html"], ["run", "--device", "cpu", "--format", "html"]):
                with self.subTest((bytes_, words)):
                    page = self.run_with(*words, name).stdout.decode()
                    given = re.findall(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.S)
                    self.assertTrue(given)
                    for data in given:
                        self.assertFalse([s for s in strings(json.loads(data)) if any(map(is_hidden, s))])

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

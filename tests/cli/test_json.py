"""JSON from outside, whichever command reads it: a NUL in a string, a key that is there twice, a lone
surrogate, a number that is none, more text behind the value. All of it is refused with a sentence and
the place; nothing of it is cut off, and nothing is found by the half that was read.

    test_json.py TILERACE
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]

KERNEL = """#include <tile.h>
tile_kernel void k(float *y, long n)
{
    tile_grid(2);
    tile_extent(y, n);
    tile_assume(n > 0);
    int b = tile_bid(0);
    if (n > 4 && b < 2)
        y[0] = b;
}
"""


def spoilt(text, key, value, *, strict):
    """Texts of which each has one fault, with what is said of it. `key` is one of the text's, with that value."""
    pair = f'"{key}": {json.dumps(value)}'
    assert text.count(pair) >= 1 and isinstance(value, str), (text, pair)
    rows = [
        (text.replace(pair, f'"{key}": "{value}\\u0000{value}"', 1), "NUL"),
        (text.replace(pair, f'"{key}": "{value}\0{value}"', 1), "NUL"),
        (text + "\0", "NUL"),
        (text.replace(pair, f'"{key}\\u0000x": "{value}"', 1), "NUL"),
        (text.replace(pair, f"{pair}, {pair}", 1), "twice"),
        (text.replace(pair, f'"{key}": "{value}\\ud800"', 1), "JSON"),
        (text.replace(pair, f'"{key}": "{value}\\udc00\\ud800"', 1), "JSON"),
        (text.replace(pair, f'{pair}, "x": NaN', 1), "JSON"),
        (text.replace(pair, f'{pair}, "x": -Infinity', 1), "JSON"),
        (text + "{", "JSON"),
        (text[:-3], "JSON"),
    ]
    if not strict:
        rows.append(("", "JSON"))  # strict: an empty file is a kernel, and no context
    else:
        rows += [(text.replace(pair, f'{pair}, "seed": {number}', 1), "number")
                 for number in ("9007199254740993", "-9223372036854775807", "1e400")]  # fmt: skip
    return rows


class Json(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve()
        (self.folder / "k.c").write_text(KERNEL)
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True, timeout=60)

    def tilerace(self, *words):
        return subprocess.run([TILERACE, *words], cwd=self.folder, capture_output=True, text=True, check=False,
                              timeout=120, stdin=subprocess.DEVNULL)  # fmt: skip

    def hold(self, name, good, key, value, *words, strict=False, code=2):
        """The command succeeds (or finds something) with the good text, and refuses each spoilt one."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(good)
        done = self.tilerace(*words)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        for text, said in spoilt(good, key, value, strict=strict):
            path.write_text(text)
            done = self.tilerace(*words)
            with self.subTest(name=name, text=text):
                self.assertEqual(done.returncode, code, done.stdout)
                self.assertIn(said, done.stderr)
                self.assertIn(path.name, done.stderr)

    def report(self):
        return self.tilerace("check", "--no-cache", "--format", "json", "k.c").stdout

    def test_baseline(self):
        self.tilerace("check", "--baseline", "base.json", "--write-baseline", "k.c")
        good = (self.folder / "base.json").read_text()
        self.hold("base.json", good, "kernel", "k", "check", "--baseline", "base.json", "k.c")

    def test_report(self):
        good = json.dumps(json.loads(self.report()))
        (self.folder / "new.json").write_text(good)
        self.hold("old.json", good, "status", "checked", "diff", "old.json", "new.json")

    def test_witness(self):
        good = json.dumps(json.loads(self.report()))
        self.hold("r.json", good, "kernel", "k", "run", "--device=cpu", "--repeat=1", "--witness", "r.json", "k.c")

    def test_witness_of_large_numbers(self):
        """The launch that is replayed has the report's numbers, to the last digit."""
        report = json.loads(self.report())
        params = report["inputs"][0]["kernels"][0]["findings"][0]["witness"]["params"]
        for n in (5, (1 << 53) + 1, (1 << 58) + 1):
            params["n"] = n
            (self.folder / "r.json").write_text(json.dumps(report))
            done = self.tilerace("run", "--device=cpu", "--repeat=1", "--witness", "r.json", "k.c")
            self.assertIn(str(n), done.stdout + done.stderr)
        for n in ("1e300", "2.5", "18446744073709551616"):
            text = json.dumps(report).replace(f'"n": {params["n"]}', f'"n": {n}')
            (self.folder / "r.json").write_text(text)
            done = self.tilerace("run", "--device=cpu", "--repeat=1", "--witness", "r.json", "k.c")
            self.assertEqual(done.returncode, 2)
            self.assertIn("holds no race of this kernel with a witness that fits it", done.stderr)

    def test_compile_commands(self):
        good = json.dumps([{"directory": str(self.folder), "file": "k.c", "command": "cc -DN=1 k.c"}])
        self.hold("b/compile_commands.json", good, "file", "k.c", "check", "--no-cache", "-p", "b", "k.c")

    def test_context(self):
        good = json.dumps({"version": 1, "kernel": "k.c", "samples": 1})
        self.hold("context.json", good, "kernel", "k.c", "judge", "context.json", strict=True)

    def test_contract(self):
        shutil.copy(ROOT / "kernels/saxpy.c", self.folder / "s.c")
        good = json.dumps({"version": 2, "launches": [{"kernel": "saxpy", "args": [{"name": "n", "value": 9}]}]})
        self.hold("l.json", good, "kernel", "saxpy", "check", "--no-cache", "--launch", "l.json", "s.c")


if __name__ == "__main__":
    unittest.main()

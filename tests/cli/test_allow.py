"""Comments that allow findings, through the command: for a kernel, in helpers and headers, of bytecode,
in compilers; and what is said of those that allow nothing.

    test_allow.py TILERACE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
WHY = "tilerace: allow(TR001): equal values"

KERNEL = """#include <tile.h>
HELPER
BEFORE
tile_kernel void halve(const float *x, float *y, int n)
{
    tile_grid(n);
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_distinct(x, y);
    int b = tile_bid(0);
    STORE
}
"""
PUT = "static void put(float *y, int b)\n{\n    y[b / 2] = 1.0f; // COMMENT\n}"


def source(store="y[b / 2] = x[b];", before="", helper=""):
    return KERNEL.replace("STORE", store).replace("BEFORE", before).replace("HELPER", helper)


class Allow(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_in(self, *words, code):
        done = subprocess.run(
            [TILERACE, *words], capture_output=True, text=True, cwd=self.folder, check=False, timeout=120
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def check(self, text, code, *words, name="k.c"):
        (self.folder / name).write_text(text)
        return self.run_in("check", *words, name, code=code)

    def test_a_kernel(self):
        done = self.check(source(before=f"// {WHY}\n\n/* the kernel */\nextern"), 0)
        self.assertIn("'halve' races", done.stdout)
        self.assertIn("0 errors, 0 warnings, 1 allowed", done.stdout)
        self.check(source(before=f"// {WHY}\nint other;"), 1)

    def test_what_stands_in_strings(self):
        self.check(source(f'y[b / 2] = x[b]; _Static_assert(1, "// {WHY}");'), 1)
        self.check(source(before=f'_Static_assert(1, "/*"\n"// {WHY}") // */\n;'), 1)

    def test_lines_are_those_of_the_compiler(self):
        """A carriage return ends a line for Clang: a comment some lines on is not in the finding's line."""
        store = "y[b / 2] = x[b];"
        for n in range(1, 4):
            text = source(f"/* {chr(13) * n} */ {store}\n" + "".join(f"    int a{i} = {i};\n" for i in range(n - 1)) + f"    int z = 0; // {WHY}")
            (self.folder / "k.c").write_bytes(text.encode())
            self.run_in("check", "k.c", code=1)
        for end in ("\r", "\r\n"):
            for text, code in ((source(f"{store} // {WHY}"), 0), (source(f"// {WHY}\n    {store}"), 0), (source(before=f"// {WHY}"), 0),
                               (source(f"int z = 0; // {WHY}\n    {store}"), 1)):  # fmt: skip
                (self.folder / "k.c").write_bytes(text.replace("\n", end).encode())
                self.run_in("check", "k.c", code=code)

    def test_helpers(self):
        for helper, store in ((PUT.replace("COMMENT", WHY), "put(y, b);"), (PUT, f"put(y, b); // {WHY}")):
            self.check(source(store, helper=helper), 0)
        self.check(source("put(y, b);", helper=PUT), 1)
        (self.folder / "put.h").write_text(PUT.replace("COMMENT", WHY) + "\n")
        self.check(source("put(y, b);", helper='#include "put.h"'), 0)

    def test_nolint(self):
        self.check(source("y[b / 2] = x[b]; // NOLINT(bugprone-x, TR001)"), 0)
        self.check(source("// NOLINTNEXTLINE(TR0*)\n    y[b / 2] = x[b];"), 0)
        self.check(source("y[b / 2] = x[b]; // NOLINT"), 1)

    def test_bytecode(self):
        """A module allows what its source does, by the places in it; not another source of that name."""
        (self.folder / "k.c").write_text(source("y[b / 2] = x[b]; // " + WHY))
        self.run_in("compile", "k.c", "-o", "k.tilebc", code=0)
        done = self.run_in("check", "k.tilebc", code=0)
        self.assertIn("1 allowed", done.stdout)
        self.assertNotIn("TR90", done.stdout)
        (self.folder / "k.c").write_text(source())
        self.run_in("check", "k.tilebc", code=1)

    def test_compilers(self):
        (self.folder / "k.c").write_text(source("y[b / 2] = x[b]; // " + WHY))
        done = self.run_in("cc", "-Werror=race", "-fsyntax-only", "k.c", code=0)
        self.assertIn("remark: allowed: different tile blocks", done.stderr)
        self.assertIn("note: allowed, because: equal values", done.stderr)
        (self.folder / "k.c").write_text(source())
        self.run_in("cc", "-Werror=race", "-fsyntax-only", "k.c", code=1)

    def test_remarks_in_every_format(self):
        text = source(f"y[b] = x[b]; // {WHY}", before="// tilerace: allow(TR001)")
        formats = ["json=j", "sarif=s", "github=h", "gitlab=g", "junit=u", "markdown=m", "html=w"]
        done = self.check(text, 0, *(f"--output={f}" for f in formats))
        self.assertRegex(done.stdout, r"k.c:12:21: warning: this allows TR001, and there is no such .* \[TR902\]\n")
        self.assertRegex(done.stdout, r"k.c:3:4: warning: nothing is allowed without a reason: .* \[TR903\]\n")
        self.assertIn("findings: 0 errors, 2 warnings", done.stdout)
        texts = {path.name: path.read_text() for path in self.folder.glob("?")}
        remarks = json.loads(texts["j"])["inputs"][0]["remarks"]
        self.assertEqual([(r["rule"], r["line"]) for r in remarks], [("TR903", 3), ("TR902", 12)])
        results = json.loads(texts["s"])["runs"][0]["results"]
        self.assertEqual([(r["ruleId"], r["level"]) for r in results], [("TR903", "warning"), ("TR902", "warning")])
        self.assertEqual([o["check_name"] for o in json.loads(texts["g"])], ["TR903", "TR902"])
        self.assertIn("::warning file=k.c,line=12", texts["h"])
        cases = xml.etree.ElementTree.fromstring(texts["u"]).iter("testcase")
        self.assertEqual([c.get("name").split()[0] for c in cases], ["halve", "invalid-suppression", "unused-suppression"])
        for name in "mw":
            self.assertIn("k.c:12:21: warning", texts[name].replace("\\", ""))
        done = self.check(text, 1, "--werror", "--format=junit")
        self.assertEqual(len(list(xml.etree.ElementTree.fromstring(done.stdout).iter("failure"))), 2)

    def test_unused_only_where_all_is_known(self):
        text = source(f"y[b] = x[b]; // {WHY}")
        self.assertIn("TR902", self.check(text, 0).stdout)
        self.assertNotIn("TR902", self.check(text, 0, "--steps=1").stdout)
        notes = source("y[b] = x[b]; // tilerace: allow(TR004): a tilerace: allow(TR016): b")
        self.assertIn("allows TR004", self.check(notes, 0).stdout)

    def test_they_can_be_deselected(self):
        text = source(f"y[b] = x[b]; // {WHY}", before="// tilerace: allow(TR001)")
        for words, left in (
            (["--ignore=TR902"], ["TR903"]), (["--ignore=invalid-suppression"], ["TR902"]), (["--ignore=TR9"], []),
            (["--select=TR001"], []), (["--select=TR001,TR903"], ["TR903"]), (["--ignore=ALL", "--extend-select=TR902"], ["TR902"]),
            (["--select=ALL"], ["TR903", "TR902"]),
        ):  # fmt: skip
            done = self.check(text, 0, "--werror" if not left else "--strict", *words)
            self.assertEqual(sorted(left), sorted(c for c in ("TR902", "TR903") if f"[{c}]" in done.stdout), words)
            if len(left) < 2:
                self.assertIn(f"{2 - len(left)} not selected", done.stdout)
        done = self.run_in("check", "k.c", "--ignore=TR900", code=2)
        self.assertIn("which nothing hides", done.stderr)
        (self.folder / "tilerace.toml").write_text('[per-file-ignores]\n"k.c" = ["TR902"]\n')
        self.assertNotIn("[TR902]", self.check(text, 0).stdout)
        (self.folder / "tilerace.toml").write_text('[levels]\nTR902 = "error"\n')
        self.assertIn("is a warning on a comment, which has one level", self.check(text, 2).stdout)

    def test_explain(self):
        for code, name in (("TR902", "unused-suppression"), ("TR903", "invalid-suppression")):
            self.assertIn(name, self.run_in("explain", code, code=0).stdout)


if __name__ == "__main__":
    unittest.main()

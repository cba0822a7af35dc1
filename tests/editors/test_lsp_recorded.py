"""tilerace lsp on sources of other languages: what a recording has of them.

    test_lsp_recorded.py TILERACE CAPTURE_PYTHON

CAPTURE_PYTHON is a Python with cuda-tile, or "none" where none can load the stand-in driver.
"""

import os
import shutil
import subprocess
import sys
import unittest

TILERACE, PYTHON = (os.path.abspath(word) if word != "none" else word for word in sys.argv[1:3])
del sys.argv[1:3]

from client import Case, Session, place, span  # noqa: E402
from lsprotocol import types  # noqa: E402

PROGRAM = """import numpy as np
import cuda.tile as ct


@ct.kernel
def halve(a, b, TILE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(b, index=(INDEX,), tile=ct.load(a, index=(i,), shape=(TILE,)) * 0.5)


a = np.ones(64, np.float32)
ct.launch(None, (4, 1, 1), halve, (a, np.zeros_like(a), 16))
"""
RACY, GOOD = PROGRAM.replace("INDEX", "i // 2"), PROGRAM.replace("INDEX", "i")


@unittest.skipIf(PYTHON == "none", "no Python can load the stand-in driver")
class Recordings(Case):
    def record(self, program, folder="."):
        done = subprocess.run(
            [TILERACE, "exec", "--dry-run", "--", PYTHON, program], capture_output=True, text=True,
            check=False, cwd=self.folder / folder, timeout=300,
        )  # fmt: skip
        self.assertTrue((self.folder / folder / ".tilerace/index.json").exists(), done.stderr)

    def session(self, **more):
        return Session(TILERACE, self.folder, **more)

    async def published(self, s, name, count, holds, what):
        """The first publication from the count-th on of which it holds; the next count."""
        there = s.published.setdefault(s.uri(name), [])
        await s.until(lambda: any(holds(p.diagnostics) for p in there[count:]), what)
        return len(there)

    async def test_from_recording_to_recording(self):
        def racy(found):
            return [d.code for d in found] == ["TR001"]

        def stale(found):
            return len(found) == 1 and "has changed since it was recorded" in found[0].message

        self.write("k.py", RACY)
        async with self.session() as s:
            s.open("k.py", RACY, "python")
            n = await self.published(s, "k.py", 0, lambda found: not found, "nothing is known")
            self.record("k.py")  # seen without a word of the client
            n = await self.published(s, "k.py", n, racy, "the race")
            found = list(s.published[s.uri("k.py")][-1].diagnostics)[0]
            line, character = place(RACY, "ct.store(b")
            self.assertEqual((found.range.start.line, found.range.start.character), (line, character))
            self.assertIn("b[0]", found.message)
            self.assertIn("**race**", await s.hover("k.py", line, character))
            (action,) = await s.actions("k.py", found.range)
            (edit,) = action.edit.changes[s.uri("k.py")]
            self.assertEqual(edit.new_text, "    # tilerace: allow(TR001): \n")
            at = RACY.split("\n")[line].index("i // 2")
            s.change("k.py", (span(line, at, at + 6), "i"))
            self.assertIsNone(await s.hover("k.py", line, character))  # of a text that is no more
            self.write("k.py", GOOD)
            s.save("k.py")
            n = await self.published(s, "k.py", n, stale, "the recording is older")
            self.assertEqual(
                s.published[s.uri("k.py")][-1].diagnostics[0].severity,
                types.DiagnosticSeverity.Information,
            )
            self.record("k.py")
            n = await self.published(s, "k.py", n, lambda found: not found, "no race any more")
            self.assertIn("**race-free**", await s.hover("k.py", line, character))
            shutil.rmtree(self.folder / ".tilerace")
            self.write("k.py", RACY)
            s.change("k.py", RACY)
            s.save("k.py")
            await self.published(s, "k.py", n, lambda found: not found, "nothing is known again")

    async def test_folders(self):
        self.write("a/b/k.py", RACY)
        self.record("b/k.py", "a")
        async with self.session(roots=[self.folder / "a/b"]) as s:
            s.open("a/b/k.py", RACY, "python")  # the recording is outside the workspace
            self.assertEqual(await s.diagnostics("a/b/k.py"), [])
        async with self.session() as s:
            s.open("a/b/k.py", RACY, "python")
            self.assertEqual([d.code for d in await s.diagnostics("a/b/k.py")], ["TR001"])
        (self.folder / ".git").mkdir()
        async with self.session(roots=[]) as s:
            s.open("a/b/k.py", RACY, "python")
            self.assertEqual([d.code for d in await s.diagnostics("a/b/k.py")], ["TR001"])
        shutil.rmtree(self.folder / ".git")
        async with self.session(roots=[]) as s:
            s.open("a/b/k.py", RACY, "python")
            self.assertEqual(await s.diagnostics("a/b/k.py"), [])

    async def test_damaged_recordings(self):
        self.write("k.py", RACY)
        self.record("k.py")
        (module,) = (self.folder / ".tilerace/modules").glob("*.tilebc")
        module.write_bytes(module.read_bytes()[:100])
        async with self.session() as s:
            s.open("k.py", RACY, "python")
            (found,) = await s.diagnostics("k.py")
            self.assertEqual((found.code, found.severity), ("TR901", types.DiagnosticSeverity.Warning))
        for text in ("", "{", '{"version": 99}', "[" * 10000):
            self.write(".tilerace/index.json", text)
            async with self.session() as s:
                s.open("k.py", RACY, "python")
                self.assertTrue(await s.diagnostics("k.py"), text[:20])

    async def test_a_comment_that_allows(self):
        text = RACY.replace("    ct.store", "    # tilerace: allow(TR001): on purpose\n    ct.store")
        self.write("k.py", text)
        self.record("k.py")
        async with self.session() as s:
            s.open("k.py", text, "python")
            (found,) = await s.diagnostics("k.py")
            self.assertEqual(found.severity, types.DiagnosticSeverity.Hint)


if __name__ == "__main__":
    unittest.main()

"""tilerace lsp, driven by a client library.

    test_lsp.py TILERACE
"""

import asyncio
import re
import sys

TILERACE = sys.argv.pop(1)

import unittest  # noqa: E402

from client import ROOT, Case, Session, at, place, span  # noqa: E402
from lsprotocol import types  # noqa: E402

GOOD = (ROOT / "kernels/vector_add.c").read_text()
RACY = (ROOT / "build/fixtures/races/vector_add_half_index.c").read_text()
CONDITIONAL = """#include <tile.h>
tile_kernel void scatter(const int *restrict index, float *restrict dst, int n)
{
    tile_grid(n);
    tile_extent(index, n);
    int i = tile_bid(0);
    dst[index[i]] = 1.0f;
}
"""
UNKNOWN = re.search("```c\n(.*?)```", (ROOT / "docs/rules/TR900.md").read_text(), re.DOTALL)[1]
HELPED = """#include <tile.h>
#include "put.h"
tile_kernel void k(int *restrict p, int n)
{
    tile_grid(n);
    put(p, tile_bid(0));
}
"""
PUT = """#include <tile.h>
static inline void put(int *p, int i)
{
    p[INDEX] = 1;
}
"""
INFORMATION, HINT = types.DiagnosticSeverity.Information, types.DiagnosticSeverity.Hint
ERROR, WARNING = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning


class Lsp(Case):
    def session(self, *arguments, **more):
        return Session(TILERACE, self.folder, *arguments, **more)

    async def one(self, session, name, version=None):
        found = await session.diagnostics(name, version)
        self.assertEqual(len(found), 1, found)
        return found[0]


class Diagnostics(Lsp):
    async def test_a_race(self):
        async with self.session() as s:
            s.open("k.c", RACY)
            d = await self.one(s, "k.c")
            line, character = place(RACY, "tile_store(out")
            self.assertEqual(d.range, span(line, character, character + 29))
            self.assertEqual((d.code, d.severity, d.source), ("TR001", ERROR, "tilerace"))
            self.assertTrue(d.code_description.href.endswith("/docs/rules/TR001.md"))
            self.assertTrue(d.message.startswith("different tile blocks write the same elements"))
            self.assertIn("tile block (1, 0, 0) stores c[0]", d.message)
            (second,) = d.related_information
            self.assertEqual(second.location, types.Location(s.uri("k.c"), d.range))
            self.assertIn("second access: store by tile block (1, 0, 0)", second.message)

    async def test_nothing_to_find(self):
        async with self.session() as s:
            s.open("k.c", GOOD)
            s.open("other.c", "int main(void) { return x; }\n")  # no business of the checker
            s.open("notes.txt", "tile_kernel")
            self.assertEqual(await s.diagnostics("k.c"), [])
            self.assertEqual(await s.diagnostics("other.c"), [])
            self.assertNotIn(s.uri("notes.txt"), s.published)

    async def test_what_is_no_error(self):
        async with self.session() as s:
            s.open("c.c", CONDITIONAL)
            s.open("u.c", UNKNOWN)
            d = await self.one(s, "c.c")
            self.assertEqual((d.code, d.severity), ("TR001", WARNING))
            unknown = [d for d in await s.diagnostics("u.c") if d.code == "TR900"]
            self.assertEqual([d.severity for d in unknown], [INFORMATION])
            self.assertIn("'words' is not decided", unknown[0].message)

    async def test_errors_of_clang(self):
        text = GOOD.replace("int i = tile_bid(0);", "int i = tile_bid(0)")
        async with self.session() as s:
            s.open("k.c", text)
            d = await self.one(s, "k.c")
            line, character = place(text, "int i = tile_bid(0)")
            self.assertEqual(d.severity, ERROR)
            self.assertEqual(d.range.start, at(line, character + 19))
            self.assertIn("expected ';'", d.message)
            (action,) = await s.actions("k.c", d.range)
            (edit,) = action.edit.changes[s.uri("k.c")]
            self.assertEqual((edit.new_text, edit.range.start), (";", d.range.start))
            s.change("k.c", (edit.range, edit.new_text))
            self.assertEqual(await s.diagnostics("k.c"), [])

    async def test_errors_of_the_dialect_have_a_hint(self):
        text = GOOD.replace("int i = tile_bid(0);", "int i; i = 0;\n    goto end;\nend:;")
        async with self.session() as s:
            s.open("k.c", text)
            first, second = await s.diagnostics("k.c")
            self.assertEqual(first.range.start, at(*place(text, "goto end")))
            self.assertEqual(first.severity, ERROR)
            self.assertIn("kernels have no goto\nUse loops", first.message)
            self.assertEqual(second.range.start, at(*place(text, "end:;")))

    async def test_a_helper_in_a_header(self):
        self.write("put.h", PUT.replace("INDEX", "i / 2"))
        async with self.session() as s:
            s.open("k.c", HELPED)
            found = [d for d in await s.diagnostics("k.c") if d.code == "TR001"]
            self.assertEqual(len(found), 1)
            self.assertEqual(found[0].range.start, at(5, 4))  # the call, as the header is not shown
            places = [(r.location.uri, r.location.range.start) for r in found[0].related_information]
            self.assertIn((s.uri("put.h"), at(3, 4)), places)

    async def test_an_error_in_a_header(self):
        self.write("put.h", PUT.replace("INDEX", "nothing"))
        async with self.session() as s:
            s.open("k.c", HELPED)
            d = await self.one(s, "k.c")
            self.assertEqual(d.range.start.line, 1)  # the #include
            self.assertEqual(d.related_information[0].location.uri, s.uri("put.h"))


class Editing(Lsp):
    async def test_a_race_typed_and_taken_back(self):
        line, character = place(GOOD, "x + y, i)")
        behind = span(line, character + 8, character + 8)
        async with self.session() as s:
            s.open("k.c", GOOD)
            self.assertEqual(await s.diagnostics("k.c"), [])
            s.change("k.c", (behind, " / 2"))
            self.assertEqual((await self.one(s, "k.c")).code, "TR001")
            s.change("k.c", (span(line, character + 8, character + 12), ""))
            self.assertEqual(await s.diagnostics("k.c"), [])
            s.change("k.c", RACY)
            self.assertEqual((await self.one(s, "k.c")).code, "TR001")

    async def test_several_edits_in_one_change(self):
        line, character = place(GOOD, "x + y, i)")
        async with self.session() as s:
            s.open("k.c", GOOD)
            s.change(
                "k.c",
                (span(0, 0, 0), "//\n"),
                (span(line + 1, character + 8, character + 8), " / 2"),
                (span(0, 0, 0, last=1), ""),
            )
            self.assertEqual((await self.one(s, "k.c")).range.start.line, line)

    async def test_what_is_stale_is_not_told(self):
        async with self.session() as s:
            s.open("k.c", RACY)
            await s.diagnostics("k.c")
            for _ in range(20):
                last = s.change("k.c", (span(0, 0, 0), " "))
                await asyncio.sleep(0.01)
            await s.diagnostics("k.c", last)
            versions = [p.version for p in s.published[s.uri("k.c")]]
            self.assertEqual(versions, sorted(versions))
            self.assertLess(len(versions), 10)

    async def test_a_header_that_is_not_saved(self):
        self.write("put.h", PUT.replace("INDEX", "i / 2"))
        async with self.session() as s:
            s.open("k.c", HELPED)
            self.assertTrue(await s.diagnostics("k.c"))
            n = len(s.published[s.uri("k.c")])
            s.open("put.h", PUT.replace("INDEX", "i"))
            self.assertEqual(await s.diagnostics("k.c", count=n + 1), [])
            self.assertEqual(await s.diagnostics("put.h"), [])  # without a kernel, as good as any
            n = len(s.published[s.uri("k.c")])
            line, character = place(PUT, "INDEX")
            s.change("put.h", (span(line, character + 1, character + 1), " / 2"))
            self.assertTrue(await s.diagnostics("k.c", count=n + 1))
            n = len(s.published[s.uri("k.c")])
            s.change("put.h", PUT.replace("INDEX", "i"))
            self.assertEqual(await s.diagnostics("k.c", count=n + 1), [])
            n = len(s.published[s.uri("k.c")])
            s.close("put.h")  # then the file itself counts again
            self.assertTrue(await s.diagnostics("k.c", count=n + 1))

    async def test_a_header_that_is_no_file_yet(self):
        async with self.session() as s:
            s.open("k.c", HELPED)
            self.assertIn("put.h", (await self.one(s, "k.c")).message)
            s.open("put.h", PUT.replace("INDEX", "i"))
            self.assertEqual(await s.diagnostics("k.c", count=2), [])

    async def test_a_file_that_another_program_writes(self):
        self.write("put.h", PUT.replace("INDEX", "i"))
        async with self.session() as s:
            s.open("k.c", HELPED)
            self.assertEqual(await s.diagnostics("k.c"), [])
            self.write("put.h", PUT.replace("INDEX", "i / 2"))
            change = types.FileEvent(s.uri("put.h"), types.FileChangeType.Changed)
            s.client.workspace_did_change_watched_files(
                types.DidChangeWatchedFilesParams([change])
            )
            self.assertTrue(await s.diagnostics("k.c", count=2))

    async def test_closing(self):
        async with self.session() as s:
            s.open("k.c", RACY)
            await s.diagnostics("k.c")
            s.close("k.c")
            self.assertEqual(await s.diagnostics("k.c", count=2), [])
            s.open("k.c", RACY)
            self.assertTrue(await s.diagnostics("k.c", count=3))

    async def test_an_edit_outside_the_document(self):
        async with self.session() as s:
            s.open("k.c", RACY)
            await s.diagnostics("k.c")
            s.change("k.c", (span(10000, 0, 0), "x"))
            d = await self.one(s, "k.c")
            self.assertIn("not checked: an edit is outside the document", d.message)
            s.change("k.c", RACY)  # the whole of it is known again
            self.assertEqual((await self.one(s, "k.c")).code, "TR001")


class Encodings(Lsp):
    TEXT = RACY.replace("    tile_store(out", "    /* ä𝄞 */ tile_store(out")

    async def check(self, offered, chosen, width):
        async with self.session(encodings=offered) as s:
            self.assertEqual(s.initialized.capabilities.position_encoding, chosen)
            s.open("k.c", self.TEXT)
            d = await self.one(s, "k.c")
            line = place(self.TEXT, "/* ä𝄞")[0]
            self.assertEqual(d.range, span(line, 11 + width, 11 + width + 29))
            # an edit behind these characters
            s.change("k.c", (span(line, 11 + width + 23, 11 + width + 28), "i"))
            self.assertEqual(await s.diagnostics("k.c"), [])

    async def test_utf_16_is_what_all_have(self):
        await self.check(None, "utf-16", 3)

    async def test_utf_8(self):
        await self.check(["utf-32", "utf-8", "utf-16"], "utf-8", 6)

    async def test_the_first_that_the_client_names(self):
        await self.check(["utf-16", "utf-8"], "utf-16", 3)


class Questions(Lsp):
    async def test_hover_on_accesses(self):
        async with self.session() as s:
            s.open("k.c", RACY)
            store = await s.hover("k.c", *place(RACY, "tile_store(out"))
            self.assertIn("**store**", store)
            self.assertIn("c[e0 + bid.x / 2 * 1024]  // e0 < 1024", store)
            self.assertIn("touch one element, for example (0, 0, 0) and (1, 0, 0)", store)
            self.assertIn("**race** `vector_add`", store)
            load = await s.hover("k.c", *place(RACY, "tile_load(in_a"))
            self.assertIn("a[bid.x * 1024 + e0]", load)
            self.assertIn("Element [i] belongs to tile block (i / 1024, 0, 0) alone", load)
            self.assertIsNone(await s.hover("k.c", 0, 0))
            self.assertIsNone(await s.hover("k.c", 10000, 0))

    async def test_hover_on_a_kernel(self):
        async with self.session() as s:
            s.open("k.c", GOOD)
            s.open("c.c", CONDITIONAL)
            text = await s.hover("k.c", *place(GOOD, "vector_add(const"))
            self.assertIn("**race-free** `vector_add`", text)
            self.assertIn("do not overlap (every caller does so)", text)
            text = await s.hover("c.c", *place(CONDITIONAL, "scatter"))
            self.assertIn("**conditional**", text)
            self.assertIn("no two elements of 'index' are equal", text)

    async def test_hover_waits_for_the_check(self):
        async with self.session() as s:
            s.open("k.c", GOOD)
            await s.diagnostics("k.c")
            s.change("k.c", RACY)
            self.assertIn("**race**", await s.hover("k.c", *place(RACY, "vector_add(const")))

    async def test_allowing(self):
        async with self.session() as s:
            s.open("k.c", RACY)
            d = await self.one(s, "k.c")
            actions = await s.actions("k.c", d.range)
            (action,) = [a for a in actions if a.title.startswith("Allow TR001")]
            self.assertEqual((action.kind, list(action.diagnostics)), ("quickfix", [d]))
            (edit,) = action.edit.changes[s.uri("k.c")]
            s.change("k.c", (edit.range, edit.new_text))
            found = await s.diagnostics("k.c")  # nothing is allowed without a reason
            self.assertIn(ERROR, [d.severity for d in found])
            self.assertTrue([d for d in found if "reason" in d.message], found)
            line = edit.range.start.line
            end = len(edit.new_text.rstrip("\n"))
            s.change("k.c", (span(line, end, end), " both write the same"))
            d = await self.one(s, "k.c")
            self.assertEqual((d.severity, d.range.start.line), (HINT, line + 1))
            self.assertIn("both write the same", d.message)
            self.assertEqual(await s.actions("k.c", d.range), [])

    async def test_a_comment_that_allows_nothing(self):
        text = GOOD.replace("    tile_store", "    // tilerace: allow(TR001): it was so\n    tile_store")
        async with self.session() as s:
            s.open("k.c", text)
            d = await self.one(s, "k.c")
            self.assertEqual(d.range.start.line, place(text, "// tilerace")[0])
            self.assertEqual((d.severity, list(d.tags)), (WARNING, [types.DiagnosticTag.Unnecessary]))
            self.assertTrue(d.code_description.href.endswith(f"/{d.code}.md"))

    async def test_lines_that_end_with_two_characters(self):
        async with self.session() as s:
            s.open("k.c", RACY.replace("\n", "\r\n"))
            d = await self.one(s, "k.c")
            self.assertEqual(d.range.start, at(*place(RACY, "tile_store(out")))
            (action,) = await s.actions("k.c", d.range)
            (edit,) = action.edit.changes[s.uri("k.c")]
            self.assertTrue(edit.new_text.endswith(" \r\n"))
            s.change("k.c", (edit.range, edit.new_text.replace(": \r", ": on purpose\r")))
            self.assertEqual((await self.one(s, "k.c")).severity, HINT)

    async def test_actions_elsewhere(self):
        async with self.session() as s:
            s.open("k.c", RACY)
            d = await self.one(s, "k.c")
            self.assertEqual(await s.actions("k.c", span(0, 0, 5)), [])
            self.assertEqual(await s.actions("k.c", d.range, only=["refactor"]), [])
            self.assertTrue(await s.actions("k.c", d.range, only=["quickfix"]))


class Options(Lsp):
    async def test_they_apply_as_in_check(self):
        text = GOOD.replace("enum { TILE", "enum { N = WIDTH, TILE")
        async with self.session("--strict", "--", "-DWIDTH=4") as s:
            s.open("k.c", text)
            d = await self.one(s, "k.c")
            self.assertEqual(d.code, "TR900")

    async def test_a_configuration(self):
        self.write("tilerace.toml", 'ignore = ["TR001"]\n')
        async with self.session() as s:
            s.open("k.c", RACY)
            self.assertEqual(await s.diagnostics("k.c"), [])
            self.assertIn("**race**", await s.hover("k.c", *place(RACY, "vector_add(const")))
            for text, code in (("", "TR001"), ("ignor = []\n", "TR901"), ("[", "TR901")):
                n = len(s.published[s.uri("k.c")])
                self.write("tilerace.toml", text)
                change = types.FileEvent(s.uri("tilerace.toml"), types.FileChangeType.Changed)
                s.client.workspace_did_change_watched_files(
                    types.DidChangeWatchedFilesParams([change])
                )
                found = await s.diagnostics("k.c", count=n + 1)
                self.assertEqual({d.code for d in found}, {code}, found)
        async with self.session("--isolated") as s:
            s.open("k.c", RACY)
            self.assertEqual((await self.one(s, "k.c")).code, "TR001")

    async def test_a_solver_that_is_not_there(self):
        process = await asyncio.create_subprocess_exec(
            TILERACE, "lsp", "--solver", "/nowhere/z3", stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await process.communicate()
        self.assertEqual((process.returncode, out), (2, b""))
        self.assertIn(b"--solver", err)


if __name__ == "__main__":
    unittest.main()

"""tilerace lsp: its life, and what clients and checks do that they should not.

    test_lsp_life.py TILERACE
"""

import asyncio
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import unittest

TILERACE = sys.argv.pop(1)

from client import PATIENCE, ROOT, Case, Session, span  # noqa: E402

GOOD = (ROOT / "kernels/vector_add.c").read_text()
RACY = (ROOT / "build/fixtures/races/vector_add_half_index.c").read_text()
ASKING = (ROOT / "kernels/stream_k.c").read_text()  # its proof needs the solver
INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}
PARSE, REQUEST, METHOD, PARAMS, EARLY, CANCELLED = -32700, -32600, -32601, -32602, -32002, -32800


class Raw:
    """A client that says whatever it is told to say."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [TILERACE, "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        self.out = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):  # what was not sent any more
                stream.close()

    def bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def body(self, body):
        body = body if isinstance(body, bytes) else body.encode()
        self.bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def say(self, method, params=None, id=None):
        message = {"jsonrpc": "2.0", "method": method}
        message |= {} if params is None else {"params": params}
        message |= {} if id is None else {"id": id}
        self.body(json.dumps(message))

    def message(self):
        """The next message; it is refused where its header is wrong."""
        header = self.process.stdout.readline()
        assert header.startswith(b"Content-Length: ") and header.endswith(b"\r\n"), header
        assert self.process.stdout.readline() == b"\r\n"
        return json.loads(self.process.stdout.read(int(header.split()[1])))

    def answer(self, id):
        while True:
            message = self.message()
            if message.get("id", "none") == id and "method" not in message:
                return message

    def error(self, id=None):
        return self.answer(id)["error"]["code"]

    def begin(self):
        self.say("initialize", INITIALIZE, id="begin")
        self.answer("begin")
        self.say("initialized", {})
        return self

    def open(self, uri, text, version=1):
        document = {"uri": uri, "languageId": "c", "version": version, "text": text}
        self.say("textDocument/didOpen", {"textDocument": document})

    def change(self, uri, *changes):
        document = {"uri": uri, "version": 2}
        self.say(
            "textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)}
        )

    def diagnostics(self, uri):
        while True:
            message = self.message()
            if message.get("method") == "textDocument/publishDiagnostics":
                if message["params"]["uri"] == uri:
                    return message["params"]["diagnostics"]

    def lives(self):
        """An answer, after all that was said before."""
        self.say("textDocument/hover", {}, id="alive")
        return self.error("alive") == PARAMS

    def end(self):
        """The exit code once the client has gone."""
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


class Life(unittest.TestCase):
    def test_a_whole_life(self):
        with Raw() as c:
            c.say("initialize", INITIALIZE, id=0)
            answer = c.answer(0)
            self.assertEqual(answer["jsonrpc"], "2.0")
            self.assertEqual(answer["result"]["serverInfo"]["name"], "tilerace")
            c.say("initialized", {})
            c.say("shutdown", id=1)
            self.assertIsNone(c.answer(1)["result"])
            c.say("exit")
            self.assertEqual(c.process.wait(PATIENCE), 0)

    def test_requests_before_and_after(self):
        with Raw() as c:
            c.say("textDocument/hover", {}, id=1)
            self.assertEqual(c.error(1), EARLY)
            c.say("no/such", {}, id=2)
            self.assertEqual(c.error(2), EARLY)
            c.open("file:///k.c", RACY)  # a notification: dropped
            c.begin()
            c.say("initialize", INITIALIZE, id=3)
            self.assertEqual(c.error(3), REQUEST)
            c.say("no/such", {}, id=4)
            self.assertEqual(c.error(4), METHOD)
            c.say("$/no/such", {}, id=5)
            self.assertEqual(c.error(5), METHOD)
            c.say("$/no/such", {})
            c.say("no/such", {})
            c.say("$/cancelRequest", {"id": 77})
            c.say("shutdown", id="six")
            self.assertIsNone(c.answer("six")["result"])
            c.say("textDocument/hover", {}, id=7)
            self.assertEqual(c.error(7), REQUEST)
            c.say("exit")
            self.assertEqual(c.process.wait(PATIENCE), 0)

    def test_exit_without_shutdown(self):
        with Raw() as c:
            c.begin().say("exit")
            self.assertEqual(c.process.wait(PATIENCE), 1)
        with Raw() as c:
            c.say("exit")
            self.assertEqual(c.process.wait(PATIENCE), 1)

    def test_a_client_that_goes_away(self):
        with Raw() as c:
            self.assertEqual(c.end(), 1)
        with Raw() as c:
            c.begin().open("file:///k.c", RACY)
            self.assertEqual(c.end(), 1)
        with Raw() as c:
            c.begin().process.stdout.close()  # it does not read any more
            c.open("file:///k.c", RACY)
            self.assertEqual(c.process.wait(PATIENCE), 1)

    def test_a_client_that_died(self):
        died = subprocess.Popen(["true"])
        died.wait()
        with Raw() as c:
            c.say("initialize", INITIALIZE | {"processId": died.pid}, id=1)
            c.answer(1)
            self.assertEqual(c.process.wait(PATIENCE), 1)

    def test_a_client_that_does_not_read(self):
        with Raw() as c:
            c.begin()
            reading = threading.Thread(target=lambda: (time.sleep(0.5), c.answer("last")))
            for i in range(3000):
                c.say("no/such/" + "long" * 50, {}, id=i)
            c.say("no/such", {}, id="last")
            reading.start()
            reading.join(PATIENCE)
            self.assertFalse(reading.is_alive())


class Messages(unittest.TestCase):
    def test_headers(self):
        with Raw() as c:
            c.begin()
            for wrong in (
                b"Content-Length: -5\r\n\r\n{}",
                b"Content-Length: 0x5\r\n\r\n{}",
                b"Content-Length: 99999999999999999999\r\n\r\n{}",
                b"Content-Length:\r\n\r\n{}",
                b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                b"Content-Type: x\r\n\r\n{}",
                b"what is this\r\n\r\n{}",
                b"\r\n\r\n\r\n\r\n",
                b"\0" * 100 + b"\r\n\r\n",
            ):
                c.bytes(wrong)
                self.assertTrue(c.lives(), wrong)
            c.bytes(b"x" * 100000)  # a header without an end
            self.assertTrue(c.lives())
            c.bytes(b"content-length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}")
            self.assertEqual(c.error(), REQUEST)

    def test_lengths(self):
        with Raw() as c:
            c.begin()
            c.bytes(b"Content-Length: 67108865\r\n\r\n")  # one more than 64 MiB
            self.assertEqual(c.error(), PARSE)
            for _ in range(64):
                c.bytes(b"x" * (1 << 20))
            c.bytes(b"x")
            self.assertTrue(c.lives())
            c.bytes(b"Content-Length: 999999999999999\r\n\r\n{}")
            self.assertEqual(c.error(), PARSE)
            self.assertEqual(c.end(), 1)

    def test_pieces(self):
        with Raw() as c:
            c.begin()
            for byte in b'Content-Length: 45\r\n\r\n{"jsonrpc":"2.0","id":9,"method":"no/such"}  ':
                c.bytes(bytes([byte]))
            self.assertEqual(c.error(9), METHOD)

    def test_bodies(self):
        with Raw() as c:
            c.begin()
            for body, code in (
                (b"", PARSE),
                (b"{", PARSE),
                (b"{}{}", PARSE),
                (b"nothing", PARSE),
                (b"\xff\xfe", PARSE),
                (b'{"id": 1, "method": "a\0b"}', PARSE),
                (b"[" * 100000, PARSE),
                (b'{"a":' * 100000, PARSE),
                (b"[]", REQUEST),
                (b"null", REQUEST),
                (b"5", REQUEST),
                (b'"text"', REQUEST),
                (b'[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]', REQUEST),
                (b'{"jsonrpc": "2.0", "method": 5}', REQUEST),
                (b'{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}', REQUEST),
                (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', REQUEST),
            ):
                c.body(body)
                self.assertEqual(c.error(), code, body[:60])
            for answer in ({"id": 5, "result": None}, {"id": "watch-files", "error": {}}):
                c.body(json.dumps(answer))  # to nothing that was asked: no answer
            self.assertTrue(c.lives())

    def test_parameters(self):
        wrong = (None, 5, "text", [], {}, {"textDocument": 5}, {"textDocument": {"uri": 5}},
                 {"textDocument": {"uri": "file:///k.c"}, "contentChanges": "x"},
                 {"textDocument": {"uri": "file:///k.c"}, "contentChanges": [5, None, {}]},
                 {"textDocument": {"uri": "file:///k.c", "version": -1e300}, "position": {}},
                 {"id": {}}, {"changes": [5, {"uri": 7}]}, {"event": {"added": [5], "removed": 7}},
                 {"textDocument": {"uri": "file:///k.c"}, "range": {"start": {"line": -1}}})  # fmt: skip
        methods = [line.split('"')[1] for line in
                   (ROOT / "editors/lsp/methods.def").read_text().splitlines()
                   if line.startswith("METHOD(")]  # fmt: skip
        with Raw() as c:
            c.begin().open("file:///k.c", RACY)
            for method in methods:
                for params in wrong:
                    if method in ("exit", "shutdown"):
                        continue
                    c.say(method, params)
                    c.say(method, params, id=f"{method} {params}")
            self.assertTrue(c.lives())
            c.open("file:///k.c", RACY)
            while not [d for d in c.diagnostics("file:///k.c") if d.get("code") == "TR001"]:
                pass

    def test_documents_that_are_none(self):
        with Raw() as c:
            c.begin()
            c.change("file:///unknown.c", {"text": "x"})
            for uri in ("file:///%00.c", "file:///k%0.c", "untitled:k.c", "http://k/k.c", "file://host/k.c",
                        "file:k.c", "k.c", "", "file:///k.c?x", "file:///%ff%fe.c"):  # fmt: skip
                c.open(uri, RACY)
                c.change(uri, {"text": RACY + "\n"})
                c.say("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}, id=uri)
                self.assertIn("result", c.answer(uri), uri)
            c.open("file:///a/../../b/./c/../k.c", RACY)
            self.assertEqual(len(c.diagnostics("file:///a/../../b/./c/../k.c")), 1)
            self.assertTrue(c.lives())

    def test_texts(self):
        uri = "file:///k.c"
        with Raw() as c:
            c.begin()
            c.open(uri, "\0" + RACY)  # cut off there, nothing would be found in it
            (found,) = c.diagnostics(uri)
            self.assertEqual(found["severity"], 1)
            text = RACY.replace("TILE = 1024", "TILE = 1024 /* \ud800 \udc00 \ud83d\ude00 */")
            c.change(uri, {"text": text})
            self.assertEqual(c.diagnostics(uri)[0]["code"], "TR001")
            body = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
                "textDocument": {"uri": uri, "version": 3},
                "contentChanges": [{"text": RACY.replace("TILE = 1024", "TILE = 1024 /* @ */")}]}})  # fmt: skip
            c.body(body.encode().replace(b"@", b"\xff\xc0\x80"))
            self.assertEqual(c.diagnostics(uri)[0]["code"], "TR001")
            c.change(uri, {"text": "/* tile_kernel */ " + "{" * 100000})
            self.assertEqual({d["severity"] for d in c.diagnostics(uri)}, {1})
            c.change(uri, {"text": "tile_kernel" * (2 << 20)})
            (found,) = c.diagnostics(uri)
            self.assertIn("larger than 16 MiB", found["message"])

    def test_edits(self):
        def edit(*places, text=""):
            (a, b), (c, d) = places
            return {"range": {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}}, "text": text}

        uri = "file:///k.c"
        for wrong in (edit((10000, 0), (10000, 0)), edit((5, 0), (4, 0)), edit((0, -1), (0, 0)),
                      edit((0, 0.5), (0, 1)), edit((0, 0), (1e300, 0)), {"range": 5, "text": ""},
                      {"range": None, "text": ""}, {"text": 5}, 5):  # fmt: skip
            with Raw() as c:
                c.begin().open(uri, RACY)
                c.diagnostics(uri)
                c.change(uri, wrong)
                (found,) = c.diagnostics(uri)
                self.assertIn("this document is not checked: an edit", found["message"])
                c.change(uri, edit((0, 0), (0, 0)), {"text": RACY})
                self.assertEqual(c.diagnostics(uri)[0]["code"], "TR001")
        with Raw() as c:
            c.begin().open(uri, RACY)
            c.diagnostics(uri)
            last = RACY.count("\n")
            c.change(uri, edit((last, 0), (last, 0), text="//"), edit((0, 5000), (0, 9000), text=" "))
            self.assertEqual(c.diagnostics(uri)[0]["code"], "TR001")


    def test_what_may_have_been_an_edit(self):
        """What the editor shows now is not known then, and a race may have been typed."""
        uri = "file:///k.c"
        change = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": RACY}]}}  # fmt: skip
        whole = json.dumps(change).encode()
        length = b"Content-Length: %d\r\n\r\n"
        for what, sent in (
                ("no JSON", length % (len(whole) - 1) + whole[:-1]),
                ("a length that is too small", length % (len(whole) - 9) + whole),
                ("a header that is wrong", b"Content-Length: x\r\n\r\n" + whole + length % 2 + b"{}"),
                ("two lengths", length[:-2] % len(whole) + length % len(whole) + whole + length % 2 + b"{}"),
                ("a NUL in it", length % (len(whole) + 1) + whole.replace(b"1024", b"1024\0", 1)),
                ("a request", dict(change, id=5)), ("a request of no number", dict(change, id=None)),
                ("several in one", [change]), ("no method", {key: change[key] for key in ("jsonrpc", "params")})):  # fmt: skip
            with self.subTest(what), Raw() as c:
                c.begin().open(uri, GOOD)
                self.assertEqual(c.diagnostics(uri), [])
                if isinstance(sent, bytes):
                    c.bytes(sent)
                else:
                    c.body(json.dumps(sent))
                (found,) = c.diagnostics(uri)
                self.assertIn("this document is not checked: a message that may have changed it cannot be", found["message"])
                c.body(whole)
                self.assertEqual(c.diagnostics(uri)[0]["code"], "TR001")

    def test_what_was_no_edit(self):
        uri = "file:///k.c"
        with Raw() as c:
            c.begin().open(uri, RACY)
            self.assertEqual(c.diagnostics(uri)[0]["code"], "TR001")
            c.body('{"jsonrpc": "2.0", "id": "watch-files"}')  # an answer without a result
            c.say("no/such", {"textDocument": {"uri": uri}}, id=7)
            c.say("$/cancelRequest", {"id": 7}, id=8)
            c.say("textDocument/didSave", {"textDocument": {"uri": "file:///other.c"}}, id=9)
            c.say("textDocument/didSave", {"textDocument": {"uri": uri}})
            self.assertEqual(c.error(9), METHOD)
            c.change(uri, {"text": RACY + "\n"})
            self.assertEqual(c.diagnostics(uri)[0]["code"], "TR001")

    def test_two_names_of_one_document(self):
        """Each of them is checked as it is; others read the one that was changed last."""
        put = "static void put(float *y, int i) { y[i%s] = 1.0f; }\n"
        kernel = RACY[: RACY.index("tile_view")] + "put(c, tile_bid(0));\n}\n"
        kernel = kernel.replace("#include <tile.h>", '#include <tile.h>\n#include "put.h"')
        with Raw() as c:
            c.begin().open("file:///k.c", GOOD)
            self.assertEqual(c.diagnostics("file:///k.c"), [])
            c.open("file:///%6B.c", RACY)
            self.assertEqual(c.diagnostics("file:///%6B.c")[0]["code"], "TR001")
            c.change("file:///k.c", {"text": GOOD + "\n"})
            self.assertEqual(c.diagnostics("file:///k.c"), [])
            c.change("file:///%6B.c", {"text": RACY + "\n"})
            self.assertEqual(c.diagnostics("file:///%6B.c")[0]["code"], "TR001")
            c.open("file:///put.h", put % "")
            c.open("file:///%70ut.h", put % " / 2")
            c.open("file:///u.c", kernel)
            self.assertEqual([d["code"] for d in c.diagnostics("file:///u.c") if d["severity"] == 1], ["TR001"])
            c.change("file:///put.h", {"text": put % "" + "\n"})
            self.assertEqual([d for d in c.diagnostics("file:///u.c") if d["severity"] == 1], [])
            c.change("file:///%70ut.h", {"text": put % " / 4"})
            self.assertEqual([d["code"] for d in c.diagnostics("file:///u.c") if d["severity"] == 1], ["TR001"])


def processes(mark=None, parent=None):
    """Those whose command line has the mark, or whose parent is that process."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            above = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if (mark and mark.encode() in words) or above == parent:
            found.append(int(folder.name))
    return found


class Checks(Case):
    def solver(self, script):
        path = self.write("solver.sh", f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    def session(self, *arguments):
        return Session(TILERACE, self.folder, *arguments)

    async def until(self, holds):
        for _ in range(PATIENCE * 20):
            if holds():
                return
            await asyncio.sleep(0.05)
        self.fail("it does not come to that")

    async def kill_check(self, s, how):
        await self.until(lambda: processes(parent=s.process.pid))
        os.kill(processes(parent=s.process.pid)[0], how)

    async def lives(self, s):
        s.open("good.c", GOOD)
        self.assertEqual(await s.diagnostics("good.c"), [])

    async def test_a_check_that_dies(self):
        async with self.session("--solver", self.solver("exec sleep 1000")) as s:
            s.open("k.c", ASKING)
            await self.until(lambda: processes(mark=str(self.folder / "solver.sh")) or processes(parent=s.process.pid))
            await self.kill_check(s, signal.SIGKILL)
            (d,) = await s.diagnostics("k.c")
            self.assertIn("this document is not checked: the checker died: Killed", d.message)
            self.assertEqual(len(s.shown), 1)
            await self.lives(s)

    async def test_a_check_that_hangs(self):
        async with self.session("--timeout", "800", "--solver", self.solver("exec sleep 1000")) as s:
            s.open("k.c", ASKING)
            (d,) = await s.diagnostics("k.c")
            self.assertIn("not checked: the check took too long", d.message)
            await self.lives(s)
            await self.until(lambda: not processes(parent=s.process.pid))

    async def test_a_check_that_is_stopped(self):
        async with self.session("--timeout", "800", "--solver", self.solver("exec sleep 1000")) as s:
            s.open("k.c", ASKING)
            await self.kill_check(s, signal.SIGSTOP)
            (d,) = await s.diagnostics("k.c")
            self.assertIn("took too long", d.message)
            await self.lives(s)

    async def test_a_check_that_grows(self):
        """Clang holds what macros make: here 3 to the 30th words."""
        text = "#include <tile.h>\n#define M0(x) x x x\n"
        text += "".join(f"#define M{i}(x) M{i - 1}(x x x)\n" for i in range(1, 30))
        async with self.session("--timeout", "1500") as s:
            s.open("k.c", text + "M29(int)\n")
            (d,) = await s.diagnostics("k.c")
            self.assertRegex(d.message, "not checked: |Clang crashed on")
            await self.lives(s)

    async def test_solvers_end_with_their_checks(self):
        mark = f"sleep {time.time_ns()}"
        async with self.session("--solver", self.solver(f"exec {mark}")) as s:
            seconds = mark.split()[1]
            for _ in range(3):
                s.open("k.c", ASKING)
                await self.until(lambda: processes(mark=seconds))
                stale = processes(mark=seconds)
                s.change("k.c", (span(0, 0, 0), " "))  # what is stale is stopped
                await self.until(lambda: processes(mark=seconds) and processes(mark=seconds) != stale)
                s.close("k.c")
                await self.until(lambda: not processes(mark=seconds))
            s.open("k.c", ASKING)
            await self.until(lambda: processes(mark=seconds))
        await self.until(lambda: not processes(mark=seconds))

    async def test_nothing_is_left_behind(self):
        for end in (lambda p: p.stdin.close(), lambda p: p.terminate(), lambda p: p.send_signal(signal.SIGINT)):
            mark = f"sleep {time.time_ns()}"
            with Raw("--solver", self.solver(f"exec {mark}")) as c:
                c.begin().open("file:///k.c", ASKING)
                await self.until(lambda: processes(mark=mark.split()[1]))
                end(c.process)
                self.assertEqual(c.process.wait(PATIENCE), 1)
                await self.until(lambda: not processes(mark=mark.split()[1]))

    async def test_questions_are_cancelled(self):
        with Raw("--solver", self.solver("exec sleep 1000")) as c:
            c.begin().open("file:///k.c", ASKING)
            where = {"textDocument": {"uri": "file:///k.c"}, "position": {"line": 0, "character": 0}}
            c.say("textDocument/hover", where, id=1)
            c.say("$/cancelRequest", {"id": 1})
            self.assertEqual(c.error(1), CANCELLED)
            c.say("textDocument/hover", where, id=2)
            c.change("file:///k.c", {"text": ASKING})
            self.assertEqual(c.error(2), -32801)
            c.say("textDocument/hover", where, id=3)
            c.say("shutdown", id=4)
            self.assertEqual(c.error(3), CANCELLED)
            self.assertIsNone(c.answer(4)["result"])

    async def test_nothing_of_the_workspace_is_run_or_written(self):
        ran = self.folder / "ran"
        for name in ("z3", "clang", "git", "tile", "sh"):
            self.write(name, f"#!/bin/sh\ntouch {ran}\n").chmod(0o755)
        self.write("k.c", RACY)
        before = sorted(path.name for path in self.folder.iterdir())
        async with self.session() as s:
            s.open("k.c", RACY)
            self.assertEqual(len(await s.diagnostics("k.c")), 1)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)


if __name__ == "__main__":
    unittest.main()

"""tilerace mcp, driven by the official client library of the Model Context Protocol.

    test_mcp.py TILERACE DOCS
"""
import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

TILERACE = os.path.abspath(sys.argv.pop(1))
DOCS = pathlib.Path(sys.argv.pop(1)).resolve()
TOOLS = {"judge", "check", "run", "compare", "explain", "contract"}

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
sys.argv[1:] = [TILERACE, str(DOCS)]  # which that module takes
from test_serve import ENDLESS, GOOD, RACY, judging  # noqa: E402  pylint: disable=wrong-import-position

CURRENT, PREVIOUS = "2026-07-28", "2025-11-25"


def server(*words, cwd=None):
    solver = {"TILERACE_SOLVER": os.environ["TILERACE_SOLVER"]} if "TILERACE_SOLVER" in os.environ else {}
    return StdioServerParameters(command=TILERACE, args=["mcp", *words], cwd=cwd, env=solver)


class ByTheClient(unittest.IsolatedAsyncioTestCase):
    """With the current revision, and with the one before, whose handshake it has."""

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    async def test_both_revisions(self):
        for mode, revision in (("auto", CURRENT), ("legacy", PREVIOUS), (CURRENT, CURRENT)):
            with self.subTest(mode):
                async with Client(server(), mode=mode) as client:
                    self.assertEqual(client.protocol_version, revision)
                    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                    self.assertEqual(set(tools), TOOLS)
                    for tool in tools.values():
                        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
                        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
                    result = await client.call_tool("judge", judging(RACY, reference={"source": GOOD}))
                    self.assertFalse(result.is_error)
                    self.assertEqual(result.structured_content["classification"], "race")
                    self.assertEqual(json.loads(result.content[0].text), result.structured_content)

    async def test_every_tool(self):
        """The client holds each result against the schema of its tool."""
        arguments = {"judge": judging(GOOD), "check": {"source": RACY}, "run": {"source": GOOD, "repeat": 2},
                     "compare": {"a": {"source": GOOD}, "b": {"source": RACY, "name": "add"}},
                     "explain": {"word": "TR001"}, "contract": {"source": GOOD}}
        self.assertEqual(set(arguments), TOOLS)
        async with Client(server()) as client:
            await client.list_tools()
            for name, given in arguments.items():
                with self.subTest(name):
                    result = await client.call_tool(name, given)
                    self.assertFalse(result.is_error, result.content)
                    self.assertIsInstance(result.structured_content, dict)

    async def test_what_is_wrong_is_for_the_model(self):
        async with Client(server()) as client:
            for arguments in ({}, {"sorce": GOOD}, {"source": 4}, {"context": {"kernel": 3}},
                              {"file": "/etc/passwd"}, {"file": "nowhere.tilebc", "source": GOOD}):
                with self.subTest(str(arguments)):
                    result = await client.call_tool("judge", arguments)
                    self.assertTrue(result.is_error)
                    self.assertIn("bad-params", result.content[0].text)
            with self.assertRaises(MCPError):
                await client.call_tool("jugde", {})

    async def test_progress(self):
        heard = []

        async def hear(progress, total, message):
            del total
            heard.append((progress, message))
        for mode in ("auto", "legacy"):
            async with Client(server(), mode=mode) as client:
                heard.clear()
                await client.call_tool("judge", judging(GOOD), progress_callback=hear)
                await asyncio.sleep(0.2)
                self.assertEqual(heard, [(1, "reading"), (2, "reference"), (3, "proving"), (4, "running")])

    async def test_cancel(self):
        for mode in ("auto", "legacy"):
            with self.subTest(mode):
                async with Client(server("-j1"), mode=mode) as client:
                    with self.assertRaises((TimeoutError, asyncio.TimeoutError)):
                        await asyncio.wait_for(client.call_tool("check", {"source": ENDLESS}), 2)
                    began = time.monotonic()
                    result = await client.call_tool("check", {"source": GOOD})
                    self.assertFalse(result.is_error)
                    self.assertLess(time.monotonic() - began, 40)

    async def test_limit(self):
        async with Client(server("--timeout", "2000")) as client:
            result = await client.call_tool("judge", {"source": ENDLESS})
            self.assertEqual(result.structured_content["classification"], "limit")
            result = await client.call_tool("check", {"source": ENDLESS})
            self.assertTrue(result.is_error)
            self.assertIn("more than 2 s", result.content[0].text)

    async def test_bounded_results(self):
        """A source of kernels whose report would be longer than a model reads."""
        many = "#include <tile.h>\n" + "".join(
            "tile_kernel void k%d(float *c) { tile_store(tile_partition(tile_tensor(c, 64), 64), tile_zeros(64), 0); }\n"
            % i for i in range(800))
        async with Client(server()) as client:
            result = await client.call_tool("check", {"source": many.replace("tile_zeros(64)", "tile_iota_f(64)")})
            text = result.content[0].text
            self.assertLessEqual(len(text), 1 << 20)

    async def test_files_of_the_root(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "good.c").write_text(GOOD)
            async with Client(server("--root", folder)) as client:
                result = await client.call_tool("check", {"file": folder + "/good.c"})
                self.assertFalse(result.is_error, result.content)


class ByHand(unittest.TestCase):
    """What no good client says."""

    def say(self, *messages):
        text = "".join((m if isinstance(m, str) else json.dumps({"jsonrpc": "2.0", **m})) + "\n" for m in messages)
        run = subprocess.run([TILERACE, "mcp"], input=text, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def initialize(self, revision):
        return {"id": 0, "method": "initialize",
                "params": {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}

    def test_revisions(self):
        for asked, given in (("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25"),
                             ("2026-07-28", "2025-11-25")):
            self.assertEqual(self.say(self.initialize(asked))[0]["result"]["protocolVersion"], given)
        meta = {"io.modelcontextprotocol/protocolVersion": "2030-01-01", "io.modelcontextprotocol/clientCapabilities": {}}
        error = self.say({"id": 1, "method": "tools/list", "params": {"_meta": meta}})[0]["error"]
        self.assertEqual((error["code"], error["data"]),
                         (-32022, {"supported": ["2026-07-28"], "requested": "2030-01-01"}))
        self.assertEqual(self.say({"id": 1, "method": "tools/list"})[0]["error"]["code"], -32602)
        del meta["io.modelcontextprotocol/clientCapabilities"]
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28"
        self.assertEqual(self.say({"id": 1, "method": "tools/list", "params": {"_meta": meta}})[0]["error"]["code"], -32602)

    def test_messages(self):
        answers = self.say(self.initialize("2025-11-25"), {"method": "notifications/initialized"},
                           {"id": 1, "method": "ping"}, {"id": 2, "method": "resources/list"}, "{bad",
                           {"id": 3, "result": {}}, {"id": None, "method": "ping"}, "[]",
                           {"method": "notifications/cancelled", "params": {"requestId": 99}},
                           {"method": "notifications/cancelled"}, {"id": 4, "method": "tools/call"},
                           {"id": 5, "method": "tools/call", "params": {"name": "explain", "arguments": []}})
        told = [(a["id"], a.get("error", {}).get("code")) for a in answers[1:]]
        self.assertEqual(told, [(1, None), (2, -32601), (None, -32700), (None, -32600), (None, -32600),
                                (4, -32602), (5, None)])
        self.assertTrue(answers[-1]["result"]["isError"])

    def test_same_id_twice(self):
        call = {"id": 7, "method": "tools/call", "params": {"name": "check", "arguments": {"source": GOOD}}}
        answers = self.say(self.initialize("2025-11-25"), call, call)[1:]
        self.assertEqual({a.get("error", {}).get("code") for a in answers}, {None, -32002})

    def test_nothing_else_on_standard_output(self):
        """Not even where the session cannot begin."""
        run = subprocess.run([TILERACE, "mcp", "--root", "/nowhere"], input="", capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("/nowhere", run.stderr)


if __name__ == "__main__":
    unittest.main()

"""Editors themselves, as far as they are here: the extension for VS Code in node, with stand-ins for
VS Code, and Neovim without a screen, by the lines that docs/editor.md has.

    test_programs.py TILERACE
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1))

from client import ROOT, Case  # noqa: E402

EXTENSION = ROOT / "editors/vscode"
RACY = (ROOT / "build/fixtures/races/vector_add_half_index.c").read_text()
TELL = """
vim.cmd('edit k.c')
local function shown() return vim.diagnostic.get(0) end
vim.wait(60000, function() return #shown() > 0 end, 20)
local before = shown()
vim.api.nvim_buf_set_lines(0, -1, -1, true, {'// edited'})
local line = vim.fn.search('i / 2') - 1
local text = vim.fn.getline(line + 1):gsub('i / 2', 'i')
vim.api.nvim_buf_set_lines(0, line, line + 1, true, {text})
vim.wait(60000, function() return #shown() == 0 end, 20)
local after = shown()
vim.fn.cursor(line + 1, 6)
local answer
vim.lsp.buf_request(0, 'textDocument/hover', vim.lsp.util.make_position_params(),
                    function(_, result) answer = result end)
vim.wait(60000, function() return answer ~= nil end, 20)
local file = io.open('told.json', 'w')
file:write(vim.json.encode({before = before, after = after, hover = answer}))
file:close()
vim.cmd('quitall!')
"""


@unittest.skipUnless(shutil.which("node"), "node is not installed")
class VisualStudioCode(unittest.TestCase):
    def activate(self, **settings):
        stub = ROOT / "tests/editors/vscode_stub.js"
        done = subprocess.run(
            ["node", stub, EXTENSION, json.dumps(settings)], capture_output=True, text=True,
            check=False, timeout=120,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_it_starts_the_server(self):
        log = self.activate()
        self.assertEqual(log[0]["server"], {"command": "tilerace", "args": ["lsp"]})
        self.assertEqual({d["scheme"] for d in log[0]["documents"]}, {"file"})
        said = [next(iter(entry)) for entry in log]
        self.assertEqual(
            said, ["made", "started", "stopped", "made", "started", "stopped", "subscriptions"]
        )
        self.assertEqual(log[-1], {"subscriptions": 1})

    def test_only_the_user_names_programs(self):
        log = self.activate(
            user={"arguments": ["--strict"]},
            workspace={"path": "./evil", "arguments": ["--solver", "./evil"]},
        )
        self.assertEqual(log[0]["server"], {"command": "tilerace", "args": ["lsp", "--strict"]})

    def test_its_description(self):
        package = json.loads((EXTENSION / "package.json").read_text())
        version = re.search(r"project\(tilerace VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
        self.assertEqual(package["version"], version[1])
        self.assertTrue((EXTENSION / package["main"]).exists())
        for setting in package["contributes"]["configuration"]["properties"].values():
            self.assertEqual(setting["scope"], "machine")


@unittest.skipUnless(shutil.which("nvim"), "Neovim is not installed")
class Neovim(Case):
    def test_the_lines_of_the_page(self):
        page = (ROOT / "docs/editor.md").read_text()
        lines = re.search(r"## Neovim\n.*?```lua\n(.*?)```", page, re.DOTALL)[1]
        self.write("k.c", RACY)
        self.write("init.lua", lines)
        self.write("tell.lua", TELL)
        self.write("bin/tilerace", f'#!/bin/sh\nexec "{TILERACE}" "$@"\n').chmod(0o755)
        environment = os.environ | {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_DATA_HOME": str(self.folder / "data"),
        }
        done = subprocess.run(
            ["nvim", "--headless", "-n", "-u", "init.lua", "-c", "luafile tell.lua"], cwd=self.folder, env=environment,
            capture_output=True, text=True, check=False, timeout=300, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self.assertTrue((self.folder / "told.json").exists(), done.stdout + done.stderr)
        told = json.loads((self.folder / "told.json").read_text())
        (found,) = told["before"]
        self.assertEqual((found["lnum"], found["code"], found["source"]), (21, "TR001", "tilerace"))
        self.assertFalse(told["after"])
        self.assertIn("**store**", told["hover"]["contents"]["value"])


if __name__ == "__main__":
    unittest.main()

// Starts `tilerace lsp` for the documents that it knows something of.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const PATTERNS = ["**/*.{c,h}", "**/*.{cu,cuh}", "**/*.py", "**/*.rs", "**/*.jl"];

let client;

function makeClient() {
  const settings = vscode.workspace.getConfiguration("tilerace");
  // A repository's own settings are not asked: they would let it name a program.
  const of = (name) => {
    const value = settings.inspect(name);
    return value.globalValue ?? value.defaultValue;
  };
  return new LanguageClient(
    "tilerace",
    "tilerace",
    { command: of("path"), args: ["lsp", ...of("arguments")] },
    { documentSelector: PATTERNS.map((pattern) => ({ scheme: "file", pattern })) },
  );
}

async function start() {
  client = makeClient();
  await client.start();
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("tilerace.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };

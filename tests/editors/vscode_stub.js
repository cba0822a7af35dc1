// Activates the extension with stand-ins for VS Code and its client library, which hand the
// server's command back: node vscode_stub.js EXTENSION SETTINGS
"use strict";

const Module = require("module");
const path = require("path");
const [extension, settings] = [process.argv[2], JSON.parse(process.argv[3])];
const log = [];
const commands = {};

class LanguageClient {
  constructor(id, name, server, client) {
    Object.assign(this, { id, server });
    log.push({ made: id, server, documents: client.documentSelector });
  }
  async start() {
    log.push({ started: this.id });
  }
  async stop() {
    log.push({ stopped: this.id });
  }
}

const properties = require(path.join(extension, "package.json")).contributes.configuration.properties;
const vscode = {
  workspace: {
    getConfiguration: (section) => ({
      inspect: (name) => ({
        defaultValue: properties[`${section}.${name}`].default,
        globalValue: settings.user?.[name],
        workspaceValue: settings.workspace?.[name],
      }),
    }),
  },
  commands: {
    registerCommand: (name, run) => {
      commands[name] = run;
      return { dispose() {} };
    },
  },
};
const stubs = { vscode, "vscode-languageclient/node": { LanguageClient } };
const load = Module._load;
Module._load = (name, ...rest) => stubs[name] ?? load(name, ...rest);

(async () => {
  const { activate, deactivate } = require(extension);
  const context = { subscriptions: [] };
  await activate(context);
  await commands["tilerace.restart"]();
  await deactivate();
  log.push({ subscriptions: context.subscriptions.length });
  process.stdout.write(JSON.stringify(log));
})();

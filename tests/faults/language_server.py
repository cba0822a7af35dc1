"""`tilerace lsp` with a scripted client: one document is opened, changed and closed."""

import json
import os
import pathlib
import select
import time

import cases

PATIENCE = 20  # seconds


class Client:
    def __init__(self, source, sink):
        self.source, self.sink, self.bytes = source, sink, b""
        self.gone = False

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number:
            message["id"] = number
        text = json.dumps(message).encode()
        try:
            os.write(self.sink, b"Content-Length: %d\r\n\r\n" % len(text) + text)
        except OSError:
            self.gone = True

    def take(self):
        """The messages that are there whole."""
        messages = []
        while (end := self.bytes.find(b"\r\n\r\n")) >= 0:
            length = int(self.bytes[:end].split(b":")[1])
            if len(self.bytes) < end + 4 + length:
                break
            messages.append(json.loads(self.bytes[end + 4 : end + 4 + length]))
            self.bytes = self.bytes[end + 4 + length :]
        return messages

    def until(self, holds, news):
        """Reads until one of the messages is what is waited for, or the server has gone."""
        limit = time.monotonic() + PATIENCE
        while not self.gone and time.monotonic() < limit:
            if select.select([self.source], [], [], 0.1)[0]:
                more = os.read(self.source, 1 << 16)
                self.gone = not more
                self.bytes += more
                for message in self.take():
                    news.append(message)
                    if holds(message):
                        return True
        return False


def published(version):
    return lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"].get("version") == version


def talk(client, folder, news):
    """The last diagnostics, those of the changed document. None: there are none."""
    path = folder / cases.flat(cases.GOOD)
    text = path.read_text()
    uri = path.as_uri()
    client.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
    if not client.until(lambda m: m.get("id") == 1, news):
        return None
    client.send("initialized", {})
    client.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "c", "version": 1, "text": text}})
    client.until(published(1), news)
    racy = text.replace("tile_bid(0)", "tile_bid(0) / 2")
    client.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": racy}]})
    answered = client.until(published(2), news)
    client.send("shutdown", None, 2)
    client.until(lambda m: m.get("id") == 2, news)
    client.send("exit", None)
    if not answered:
        return None
    last = [m["params"]["diagnostics"] for m in news if published(2)(m)][-1]
    return json.dumps(last, sort_keys=True, indent=1)


def run(server, words, folder, environment, kind, number, most_ms):
    streams = [str(server.folder / name) for name in ("requests", "answers", "stderr")]
    for path in streams[:2]:
        if not os.path.exists(path):
            os.mkfifo(path)
    pathlib.Path(streams[2]).write_bytes(b"")
    source = os.open(streams[1], os.O_RDONLY | os.O_NONBLOCK)
    server.start(words, folder, environment, kind, number, most_ms + PATIENCE * 3000, streams)
    sink = os.open(streams[0], os.O_WRONLY)
    news = []
    client = Client(source, sink)
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and not select.select([source], [], [], 0)[0]:
        break
    told = talk(client, folder, news)
    os.close(sink)
    server.streams = [streams[0], "/dev/null", streams[2]]
    end = server.finish()
    os.close(source)
    shown = [m["params"]["message"] for m in news if m.get("method") in ("window/showMessage", "window/logMessage")]
    end.out = told.encode() if told else b""
    end.err += "".join(f"{text}\n" for text in shown).encode()
    return end

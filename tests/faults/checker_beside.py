"""`tilerace beside` with a scripted program: two modules are told of, and launches of each."""

import json
import os
import pathlib
import select
import socket
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import capture_client  # noqa: E402
from capture_client import data, pointer, text  # noqa: E402

PATIENCE = 20  # seconds
TAKES_FINDING = 8


def read_where(source):
    """The texts that the checker says where it can be spoken to. None: their end does not come."""
    said, limit = b"", time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        if select.select([source], [], [], 0.1)[0]:
            more = os.read(source, 1 << 16)
            if not more:
                return said.split(b"\0")
            said += more
    return None


def talk(folder, where, told):
    """Fills `told` with what the checker answers, in order."""
    os.environ["TILERACE_CAPTURE"] = os.fsdecode(where)
    client = capture_client.Client()
    try:
        for name in ("small_racy.tilebc", "small.tilebc"):
            number, entries = client.module((folder / name).read_bytes())
            told.append({"module": name, "entries": {symbol: len(kinds) for symbol, kinds in entries.items()}})
            for n in (4, 1):  # blocks: one alone does not race
                outcome = client.launch(number, "k", (n, 1, 1), pointer(0x1000, 64), pointer(0x9000, 64),
                                        line=n, flags=TAKES_FINDING)
                told.append({"module": name, "blocks": n, "outcome": outcome, "found": client.found})
        # What cannot be read is said, too.
        told.append({"unreadable": client.entries("MODULE", data(b"no module") + text("test") + text(""))[0]})
    finally:
        client.socket.close()


def run(server, words, folder, environment, kind, number, most_ms):
    streams = [str(server.folder / name) for name in ("requests", "answers", "stderr")]
    for path in streams[:2]:
        if not os.path.exists(path):
            os.mkfifo(path)
    pathlib.Path(streams[2]).write_bytes(b"")
    server.start(words, folder, environment, kind, number, most_ms + 2000 * PATIENCE, streams)
    sink = os.open(streams[0], os.O_WRONLY)  # each waits until the other side has opened it
    source = os.open(streams[1], os.O_RDONLY)
    where, told = read_where(source), []
    if where and len(where) == 5:
        socket.setdefaulttimeout(PATIENCE)
        try:
            talk(folder, where[0], told)
        except (OSError, EOFError, AssertionError, struct.error) as why:
            told.append({"gone": type(why).__name__})
    os.close(sink)
    server.streams = [streams[0], "/dev/null", streams[2]]
    end = server.finish()
    os.close(source)
    end.late |= where is None or told[-1:] == [{"gone": "TimeoutError"}]
    end.out = json.dumps(told).encode() if told else b""
    return end

"""What a program under `tilerace exec` says to the checker, without a driver: the wire of
capture/wire/messages.def, for tests."""

import os
import pathlib
import re
import socket
import struct

WIRE = pathlib.Path(__file__).parents[2] / "capture/wire"
KINDS = re.findall(r"^ROW\((\w+),", (WIRE / "messages.def").read_text(), re.M)
VERSION = int(re.search(r"WIRE_VERSION = (\d+)", (WIRE / "wire.h").read_text())[1])


def data(value):
    return struct.pack("<I", len(value)) + value


def text(value):
    return data(value.encode() if isinstance(value, str) else value)


def frame(kind, body):
    return struct.pack("<II", len(body) + 4, KINDS.index(kind)) + body


def pointer(address, size=0, readable=True, start=None):
    """An argument: a pointer into an allocation of `size` bytes (0: unknown) from `start` on."""
    known = (address if start is None else start) if size else 0
    return struct.pack("<Q", address), known, size, readable


def scalar(form, value):
    return struct.pack("<" + form, value), 0, 0, False


class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["TILERACE_CAPTURE"])
        self.left = b""
        self.waits = 0  # how often it was told to wait
        self.asked = []  # what the checker wanted to read, in order
        self.ask("HELLO", struct.pack("<III", VERSION, os.getpid(), os.getppid()) + text("test"))

    def send(self, kind, body=b""):
        self.socket.sendall(frame(kind, body))

    def take(self, n):
        while len(self.left) < n:
            more = self.socket.recv(1 << 16)
            if not more:
                raise EOFError
            self.left += more
        taken, self.left = self.left[:n], self.left[n:]
        return taken

    def hear_any(self):
        (length,) = struct.unpack("<I", self.take(4))
        body = self.take(length)
        return KINDS[struct.unpack_from("<I", body)[0]], body[4:]

    def hear(self):
        while (heard := self.hear_any())[0] == "WAIT":
            self.waits += 1
        return heard

    def ask(self, kind, body=b""):
        self.send(kind, body)
        return self.hear()

    def module(self, code, names="", front_end="test"):
        return self.entries("MODULE", data(code) + text(front_end) + text(names))

    def entries(self, question, body):
        """The module's number, and {symbol: [(kind, bytes), ...]}."""
        kind, body = self.ask(question, body)
        assert kind == "ENTRIES", kind
        number, n = struct.unpack_from("<II", body)
        at, entries = 8, {}
        for _ in range(n):
            (length,) = struct.unpack_from("<I", body, at)
            symbol = body[at + 4 : at + 4 + length].decode()
            (count,) = struct.unpack_from("<I", body, at + 4 + length)
            at += 8 + length
            entries[symbol] = [tuple(body[at + 2 * i : at + 2 * i + 2]) for i in range(count)]
            at += 2 * count + 1  # and how it waits
        return number, entries

    def launch_body(self, module, symbol, grid, arguments, file, line, flags, is_whole=True):
        """The fields of a launch; whole: that tells of none before it."""
        body = struct.pack("<I", module) + text(symbol) + struct.pack("<QQQ", *grid)
        body += text(file) + struct.pack("<IBI", line, flags, len(arguments))
        for value, start, size, readable in arguments:
            body += data(value) + struct.pack("<QQB", start, size, readable)
        return body + (struct.pack("<BI", 0, 0) if is_whole else b"")

    def passed(self, module, symbol, grid, *arguments, file="user.py", line=1):
        """A launch that waits for no answer."""
        self.send("PASSED", self.launch_body(module, symbol, grid, arguments, file, line, 0))

    def launch(self, module, symbol, grid, *arguments, contents=None, file="user.py", line=1,
               flags=0):
        """`contents`: {argument: bytes} that can be read."""
        body = self.launch_body(module, symbol, grid, arguments, file, line, flags)
        kind, answer = self.ask("LAUNCH", body)
        assert kind == "LAUNCHED", kind
        outcome, n = struct.unpack_from("<BI", answer)
        wanted = [struct.unpack_from("<IQ", answer, 5 + 12 * i) for i in range(n)]
        self.asked += wanted
        if wanted:
            held = [(i, contents[i][:size]) for i, size in wanted if i in (contents or {})]
            body = struct.pack("<I", len(held))
            for i, value in held:
                body += struct.pack("<I", i) + data(value)
            kind, answer = self.ask("CONTENTS", body)
            assert kind == "LAUNCHED" and struct.unpack_from("<I", answer, 1) == (0,), answer
        self.found = answer[9:].decode()  # text finding, of the last answer
        return outcome


def launch_and_end(path, *launch, is_asked=False):
    """A process of its own that launches a kernel of that module, at user.py:5, and ends: at once, or
    when it has been asked for one array."""
    child = os.fork()
    if child == 0:
        c = Client()
        number, _ = c.module(pathlib.Path(path).read_bytes())
        c.send("LAUNCH", c.launch_body(number, *launch, "user.py", 5, 0))
        good = not is_asked or struct.unpack_from("<BI", c.hear()[1]) == (0, 1)
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0

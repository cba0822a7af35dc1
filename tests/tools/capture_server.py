"""The checker's side of the conversation with a program under `tilerace exec`, for tests.

    with CaptureServer(entries_of=...) as server:
        subprocess.run([...], env={**os.environ, "TILERACE_CAPTURE": server.path})
        server.messages   # what every process told, in the order of its arrival

Each message is a Message: the process that told it, its kind and its fields by name. The server
answers as capture/wire/messages.def says, by default that it can read no module and wants nothing.
"""
import os
import re
import socket
import struct
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field

INTEGER, FLOAT, POINTER, OTHER = range(4)  # wire_parameter
REMARKS = ["tokens off", "assembler failed", "stand-in", "front end lost", "lost"]  # wire_remark
FOLDER = os.path.dirname(os.path.abspath(__file__))


def _find_all(pattern, name):
    with open(os.path.join(FOLDER, "../../capture/wire", name)) as file:
        return re.findall(pattern, file.read(), re.M)


KINDS = _find_all(r"^ROW\((\w+),", "messages.def")
VERSION = int(_find_all(r"WIRE_VERSION = (\d+)", "wire.h")[0])


@dataclass
class Message:
    process: int
    kind: str
    fields: dict = field(default_factory=dict)

    def __getattr__(self, name):
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if self.at + n > len(self.data):
            raise ValueError("a message ends early")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def u8(self):
        return self.number("B")

    def u32(self):
        return self.number("I")

    def u64(self):
        return self.number("Q")

    def bytes(self):
        return self.take(self.u32())

    def text(self):
        return self.bytes().decode("utf-8", "surrogateescape")

    def many(self, read):
        return [read() for _ in range(self.u32())]


def _u32(*values):
    return struct.pack("<%dI" % len(values), *values)


def _bytes(data):
    return _u32(len(data)) + data


def _argument(r):
    return {"value": r.bytes(), "allocation": r.u64(), "allocation_bytes": r.u64(),
            "readable": r.u8()}


def _launch(r):
    return {**_one_launch(r), "before_told": r.u8(), "before": r.many(lambda: _one_launch(r))}


def _one_launch(r):
    return {"module": r.u32(), "symbol": r.text(), "grid": (r.u64(), r.u64(), r.u64()),
            "file": r.text(), "line": r.u32(), "flags": r.u8(),
            "arguments": r.many(lambda: _argument(r))}


FIELDS = {
    "HELLO": lambda r: {"version": r.u32(), "pid": r.u32(), "parent": r.u32(), "command": r.text()},
    "MODULE": lambda r: {"tile_ir": r.bytes(), "front_end": r.text(), "names": r.text()},
    "CODE": lambda r: {"module": r.u32(), "code": (r.u64(), r.u64())},
    "WHOSE": lambda r: {"code": (r.u64(), r.u64())},
    "LAUNCH": _launch,
    "PASSED": _launch,
    "CONTENTS": lambda r: {"contents": r.many(lambda: (r.u32(), r.bytes()))},
    "EXECUTE": lambda r: _launch(r),
    "REMARK": lambda r: {"remark": REMARKS[r.u32()], "about": r.text()},
    "BYE": lambda r: {},
}


class CaptureServer:
    def __init__(self, entries_of=lambda module: None, flags=0, wants=lambda launch: []):
        self.entries_of = entries_of  # {symbol: [(kind, bytes)]}; None: the module cannot be read
        self.flags = flags
        self.wants = wants  # of a LAUNCH: [(argument, bytes)]
        self.messages = []
        self.modules = {}  # (Tile IR, names) -> number
        self.errors = []
        self.lock = threading.Lock()

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="capture")
        self.path = os.path.join(self.folder.name, "socket")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.bind(self.path)
        self.socket.listen(64)
        self.talks = []
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()
        for talk in self.talks:
            talk.join(10)
        self.folder.cleanup()

    def of_kind(self, kind):
        """Of launches also those that want no answer."""
        kinds = ("LAUNCH", "PASSED") if kind == "LAUNCH" else (kind,)
        with self.lock:
            return [m for m in self.messages if m.kind in kinds]

    def remarks(self):
        return [(m.remark, m.about) for m in self.of_kind("REMARK")]

    def _accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            talk = threading.Thread(target=self._talk, args=(connection,), daemon=True)
            self.talks.append(talk)
            talk.start()

    def _talk(self, connection):
        process = 0
        with connection, connection.makefile("rb") as stream:
            try:
                while len(header := stream.read(8)) == 8:
                    length, kind = struct.unpack("<II", header)
                    reader = Reader(stream.read(length - 4))
                    message = Message(process, KINDS[kind], FIELDS[KINDS[kind]](reader))
                    if reader.at != len(reader.data):
                        raise ValueError("%s is too long" % message.kind)
                    if message.kind == "HELLO":
                        message.process = process = message.pid
                    self._answer(connection, message)
            except OSError:
                pass
            except Exception as error:
                self.errors.append(error)

    def _answer(self, connection, message):
        with self.lock:
            self.messages.append(message)
            answer = getattr(self, "_" + message.kind.lower(), lambda m: None)(message)
        if answer:
            kind, fields = answer
            connection.sendall(_u32(len(fields) + 4, KINDS.index(kind)) + fields)

    def _hello(self, _):
        return "WELCOME", _u32(VERSION, self.flags)

    def _module(self, message):
        key = message.tile_ir, message.names
        message.fields["number"] = number = self.modules.setdefault(key, len(self.modules) + 1)
        message.fields["entries"] = entries = self.entries_of(message)
        if entries is None:
            return "ENTRIES", _u32(0, 0)
        fields = _u32(number, len(entries))
        for symbol, parameters in entries.items():
            fields += _bytes(symbol.encode()) + _u32(len(parameters))
            fields += b"".join(bytes(parameter) for parameter in parameters) + b"\0"
        return "ENTRIES", fields

    def _code(self, _):
        return "NOTED", b""

    def _whose(self, _):
        return "ENTRIES", _u32(0, 0)

    def _launch(self, message):
        wants = self.wants(message)
        fields = b"\0" + _u32(len(wants))
        return "LAUNCHED", fields + b"".join(struct.pack("<IQ", *want) for want in wants) + _bytes(b"")

    def _contents(self, _):
        return "LAUNCHED", b"\0" + _u32(0) + _bytes(b"")

    def _execute(self, _):
        return ("EXECUTED", b"\0" + _u32(0) + _bytes(b"") + _bytes(b"no interpreter") + _bytes(b"") +
                _u32(0) + _bytes(b"") + _u32(0))


def entries_read_by(tilerace):
    """For `entries_of`: what the program itself reads in a module."""
    def entries_of(message):
        with tempfile.NamedTemporaryFile(suffix=".tilebc") as file:
            file.write(message.tile_ir)
            file.flush()
            printed = subprocess.run([tilerace, "dump", file.name], capture_output=True, text=True)
        if printed.returncode != 0:
            return None
        return {symbol: [_parameter(of) for of in re.findall(r": tile<([^%]*)>[,)]?", rest)]
                for symbol, rest in re.findall(r"^entry @([^(]+)\((.*?)\)(?: |$)", printed.stdout,
                                               re.M)}
    return entries_of


def _parameter(of):
    if of.startswith("ptr"):
        return POINTER, 8
    bits = int(re.match(r"[a-z]+(\d+)", of).group(1))
    return INTEGER if of.startswith("i") else FLOAT, max(bits // 8, 1)

"""tilerace-faults, driven: one command line with one call that fails (analyzer/faults)."""

import dataclasses
import mmap
import os
import pathlib
import re
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = re.findall(r'^FAULT_KIND\(\w+, "([a-z-]+)"', (ROOT / "analyzer/faults/kinds.def").read_text(), re.MULTILINE)
PLAN = struct.Struct(f"={5 + len(KINDS)}Q")  # fault_plan of faults.h


@dataclasses.dataclass
class Run:
    code: int  # exit status, or minus the signal
    out: bytes
    err: bytes
    late: bool  # it had to be killed
    left: int  # processes that did not end after it
    counts: dict  # calls of each kind
    failed: int  # calls that failed: 0, the number was not reached; 1
    on_stderr: bool
    site: int  # the caller, for addr2line


class Server:
    """A folder for what the program reads and writes, and the process that starts it there."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.plan = self.folder / "plan"
        self.plan.write_bytes(bytes(PLAN.size))
        with self.plan.open("r+b") as file:
            self.page = mmap.mmap(file.fileno(), PLAN.size)
        self.process = subprocess.Popen([program, "--serve-faults"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def start(self, words, cwd, environment, kind=None, number=0, most_ms=20000, streams=None):
        """Asks for a run; finish() waits for it."""
        self.streams = streams or ["/dev/null", str(self.folder / "stdout"), str(self.folder / "stderr")]
        for path in self.streams[1:]:
            if not streams:
                pathlib.Path(path).write_bytes(b"")
        place = KINDS.index(kind) if kind else len(KINDS)
        self.page[:] = PLAN.pack(place, number, *[0] * (3 + len(KINDS)))
        variables = [f"{name}={value}" for name, value in {**environment, "TR_FAULTS_PLAN": self.plan}.items()]
        texts = [str(cwd), *self.streams, str(most_ms), str(len(words)), *words, *variables]
        bytes_ = b"".join(os.fsencode(text) + b"\0" for text in texts)
        self.process.stdin.write(b"%d\n" % len(bytes_) + bytes_)
        self.process.stdin.flush()

    def finish(self):
        status, late, left = map(int, self.process.stdout.readline().split())
        _, _, failed, on_stderr, site, *counts = PLAN.unpack(self.page[:])
        out, err = (b"" if path == "/dev/null" else pathlib.Path(path).read_bytes() for path in self.streams[1:])
        code = os.waitstatus_to_exitcode(status)
        return Run(code, out, err, bool(late), left, dict(zip(KINDS, counts)), failed, bool(on_stderr), site)

    def run(self, words, cwd, environment, kind=None, number=0, most_ms=20000):
        self.start(words, cwd, environment, kind, number, most_ms)
        return self.finish()

"""What a launch takes in cuTile Python under `tilerace exec --dry-run`, and in the same program
without the checker: the front end's own work, the hook and the stand-in driver. The least of some
runs, in turns, and of twenty parts of each, since other work of the machine interrupts them. Then
programs of many specialisations as a whole, with the memory of all processes of the checker
together; last a client that has modules without compiling them.

    exec.py BUILD_FOLDER PYTHON [SPECIALISATIONS_OF_THE_CLIENT]
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = """
import json, sys, time
import cuda.tile as ct
import numpy as np

@ct.kernel
def scale(x, y, n: int, size: ct.Constant[int], step: ct.Constant[int]):
    b = ct.bid(0)
    tile = ct.load(x, index=(b,), shape=(size,))
    ct.store(y, index=(b,), tile=tile * step + n)

x, y = np.ones(4096, np.float32), np.zeros(4096, np.float32)
times = {}

def timed(name, n, launch):
    times[name], some = float("inf"), max(1, n // 20)
    for first in range(0, n, some):
        begun = time.perf_counter()
        for i in range(first, first + some):
            launch(i)
        times[name] = min(times[name], (time.perf_counter() - begun) / some * 1e6)

timed("first", 1, lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, 64, 64, 0)))
timed("equal", 1000, lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, 64, 64, 0)))
timed("different", 1000, lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, i, 64, 0)))
timed("specialisations", int(sys.argv[1]),
      lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, 64, 64, i + 1)))
print(json.dumps(times))
"""
# Each module has a constant of its own.
MARK = struct.pack("<f", 1234567.0)
KERNEL = """#include <tile.h>
tile_kernel void scale(float *x, int n)
{
    tile_view v = tile_partition(tile_tensor(x, n), 64);
    tile_store(v, tile_load(v, tile_bid(0)) * 1234567.0f, tile_bid(0));
}
"""
CLIENT = """
import struct, sys, time
sys.path.insert(0, sys.argv[2])
from capture_client import *
c, code, begun = Client(), open("k.tilebc", "rb").read(), time.perf_counter()
for i in range(int(sys.argv[1])):
    m, _ = c.module(code.replace(bytes.fromhex(sys.argv[3]), struct.pack("<f", 1e6 + i)))
    c.launch(m, "scale", (4, 1, 1), pointer(0x100000, 1024), scalar("i", 256))
print(time.perf_counter() - begun)
"""
ROWS = (
    ("first", "the first launch, compilation included"),
    ("equal", "a launch by an old key (1,000)"),
    ("different", "a launch with another scalar (1,000)"),
    ("specialisations", "a launch of a new specialisation, compilation included (100)"),
)
TIMES, FEW = 5, 100


def alone(build, python):
    """The program with hook and stand-in driver, whose checker is not there."""
    stand_in = build / "capture/stand_in"
    root = pathlib.Path(__file__).resolve().parents[2]
    ours = {"LD_LIBRARY_PATH": str(stand_in), "PYTHONPATH": str(root / "capture/python"),
            "TILERACE_CAPTURE": "/nowhere", "TILERACE_DRY_RUN": "1",
            "TILERACE_RECORDER": str(stand_in / "libcuda.so.1")}
    return [python], {**os.environ, **ours}


def under_exec(build, python):
    return [str(build / "tilerace"), "exec", "--dry-run", "--no-recording", "--", python], None


class Memory(threading.Thread):
    """The most bytes that the checker's processes, the given one and those that it forks, hold at
    once. What they share is counted once."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.peak, self.n, self.done = pid, 0, 0, threading.Event()

    @staticmethod
    def children(pid):
        try:
            return map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            return ()

    def held(self, pid):
        """Bytes and processes; what the program runs is not the checker's."""
        try:
            name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
            kilobytes = int(rollup.split("\nPss:")[1].split()[0])
        except (OSError, IndexError):
            return 0, 0
        if name.startswith("python"):
            return 0, 0
        below = [self.held(child) for child in self.children(pid)]
        return ((kilobytes << 10) + sum(b for b, _ in below),
                1 + sum(n for _, n in below))

    def run(self):
        while not self.done.wait(0.5):
            held, n = self.held(self.pid)
            self.peak, self.n = max(self.peak, held), max(self.n, n)


def watched(command, environment=None, cwd=None):
    """What it printed, seconds, the memory, the last lines of what the checker said."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, env=environment, cwd=cwd, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    memory = Memory(process.pid)
    memory.start()
    out, err = process.communicate()
    memory.done.set()
    memory.join()
    if process.returncode != 0:
        raise SystemExit(err)
    return json.loads(out), time.perf_counter() - begun, memory, err


def run(how, build, python, program, n):
    command, environment = how(build, python)
    return watched([*command, str(program), str(n)], environment)


def row(name, without, taken):
    _, seconds, memory, said = taken
    print(f"| {name} | {without} | {seconds:.1f} | {memory.peak >> 20} | {memory.n} "
          f"| {' '.join(said.split(chr(10))[-4:-2])} |", flush=True)


def run_client(build, folder, n):
    (folder / "k.c").write_text(KERNEL)
    subprocess.run([str(build / "tilerace"), "compile", "k.c", "-o", "k.tilebc"], cwd=folder,
                   check=True)
    if (folder / "k.tilebc").read_bytes().count(MARK) != 1:
        raise SystemExit("the constant is not there once")
    tools = pathlib.Path(__file__).resolve().parents[1] / "tools"
    command = [sys.executable, "-c", CLIENT, str(n), str(tools), MARK.hex()]
    return watched([str(build / "tilerace"), "exec", "--dry-run", "--no-recording", "--",
                    *command], cwd=folder)


def main():
    build, python = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
    ways = (alone, under_exec)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(PROGRAM)
        taken = [[run(how, build, python, program, FEW)[0] for how in ways] for _ in range(TIMES)]
        print("| what | without the checker, microseconds | exec |\n| --- | --- | --- |")
        for key, name in ROWS:
            least = [min(t[way][key] for t in taken) for way in range(len(ways))]
            print(f"| {name} | {least[0]:.1f} | {least[1]:.1f} |")
        print("\n| specialisations of a program | without the checker, s | exec, s | memory, MiB "
              "| processes | said |\n| --- | --- | --- | --- | --- | --- |")
        without = run(alone, build, python, program, FEW)[1]
        row(f"{FEW}", f"{without:.1f}", run(under_exec, build, python, program, FEW))
        for n in map(int, sys.argv[3:] or (10 * FEW,)):
            row(f"{n} of the client", "", run_client(build, pathlib.Path(folder), n))


if __name__ == "__main__":
    main()

"""What a launch takes in cuTile Python under `tilerace exec --dry-run`, and in the same program
without the checker: the front end's own work, the hook and the stand-in driver. The least of some
runs, in turns. Then programs of many specialisations as a whole, with the memory of all processes
of the checker together.

    exec.py BUILD_FOLDER PYTHON [SPECIALISATIONS...]
"""

import json
import os
import pathlib
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
    begun = time.perf_counter()
    for i in range(n):
        launch(i)
    times[name] = (time.perf_counter() - begun) / n * 1e6

timed("first", 1, lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, 64, 64, 0)))
timed("equal", 1000, lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, 64, 64, 0)))
timed("different", 1000, lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, i, 64, 0)))
timed("specialisations", int(sys.argv[1]),
      lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, 64, 64, i + 1)))
print(json.dumps(times))
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
    """The most bytes that the checker's processes, the given one and those that it forks, hold
    resident at once."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.peak, self.n, self.done = pid, 0, 0, threading.Event()

    @staticmethod
    def children(pid):
        try:
            return map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            return ()

    def resident(self, pid):
        """Bytes and processes; what the program runs is not the checker's."""
        try:
            name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return 0, 0
        if name.startswith("python"):
            return 0, 0
        below = [self.resident(child) for child in self.children(pid)]
        return (pages * os.sysconf("SC_PAGESIZE") + sum(b for b, _ in below),
                1 + sum(n for _, n in below))

    def run(self):
        while not self.done.wait(0.2):
            resident, n = self.resident(self.pid)
            self.peak, self.n = max(self.peak, resident), max(self.n, n)


def run(how, build, python, program, n):
    """Times of the program, seconds of the whole, the memory, what was said last."""
    command, environment = how(build, python)
    begun = time.perf_counter()
    process = subprocess.Popen([*command, str(program), str(n)], env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    memory = Memory(process.pid)
    memory.start()
    out, err = process.communicate()
    memory.done.set()
    memory.join()
    if process.returncode != 0:
        raise SystemExit(err)
    return json.loads(out), time.perf_counter() - begun, memory, err


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
        for n in map(int, sys.argv[3:] or (FEW,)):
            without = run(alone, build, python, program, n)[1]
            _, seconds, memory, said = run(under_exec, build, python, program, n)
            print(f"| {n} | {without:.1f} | {seconds:.1f} | {memory.peak >> 20} | {memory.n} "
                  f"| {' '.join(said.split(chr(10))[-4:-2])} |", flush=True)


if __name__ == "__main__":
    main()

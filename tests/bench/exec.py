"""What a launch takes in cuTile Python under `tilerace exec --dry-run`: the front end's own work,
the hook, the stand-in driver and the checker together; the least of some runs.

    exec.py BUILD_FOLDER PYTHON
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
import json, time
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
timed("specialisations", 100, lambda i: ct.launch(None, (64, 1, 1), scale, (x, y, 64, 64, i + 1)))
print(json.dumps(times))
"""
ROWS = (
    ("first", "the first launch, compilation included"),
    ("equal", "a launch by an old key (1,000)"),
    ("different", "a launch with another scalar (1,000)"),
    ("specialisations", "a launch of a new specialisation, compilation included (100)"),
)
TIMES = 5


def main():
    build, python = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(PROGRAM)
        for _ in range(TIMES):
            run = subprocess.run([str(build / "tilerace"), "exec", "--dry-run", "--no-recording",
                                  "--", python, str(program)], check=True, capture_output=True,
                                 text=True)
            taken.append(json.loads(run.stdout))
    print("| what | microseconds |\n| --- | --- |")
    for key, name in ROWS:
        print(f"| {name} | {min(t[key] for t in taken):.1f} |")


if __name__ == "__main__":
    main()

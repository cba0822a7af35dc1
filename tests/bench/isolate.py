"""What a check in processes of its own takes longer (docs/library.md): modules of the repository, checked with and
without in turn, the least of some rounds of each.

    isolate.py LIBRARY [ROUNDS]
"""

import os
import pathlib
import statistics
import sys
import time

LIBRARY = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ["TILERACE_LIBRARY"] = LIBRARY
sys.path[:0] = [f"{ROOT}/python", f"{ROOT}/capture/python"]

import tilerace  # noqa: E402


def took(path, isolate):
    began = time.perf_counter()
    tilerace.check(path, isolate=isolate)
    return (time.perf_counter() - began) * 1e3


for name, pattern in (("bytecode", "kernels/*/*.tilebc"), ("C", "kernels/*.c")):
    files = sorted(ROOT.glob(pattern))[::4]
    longer = []
    for path in files:
        rounds = [(took(path, False), took(path, True)) for _ in range(ROUNDS)]
        longer.append(min(apart for _, apart in rounds) - min(here for here, _ in rounds))
    print(f"{name}: {len(files)} files, {statistics.median(longer):.0f} ms longer "
          f"(from {min(longer):.0f} to {max(longer):.0f})")

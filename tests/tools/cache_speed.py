"""How long a check takes with and without results that were kept.

    cache_speed.py TILERACE [CLANG_TIDY] [--whole]

Checks kernels/*.c: cold (an empty cache), warm (all kept) and without a cache, in turns, one file at a
time, and the same sources by clang-tidy with its default checks; then 100 copies of kernels, warm. The
median of three runs each, in seconds of a clock and of processors. With --whole instead: everything
that `tilerace check .` finds in the repository, once cold and once warm.
"""

import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 3


def processors():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(*words, **env):
    """Seconds of a clock, and of processors."""
    began, worked = time.monotonic(), processors()
    subprocess.run(words, cwd=ROOT, env=os.environ | env, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    return time.monotonic() - began, processors() - worked


def whole(tilerace):
    with tempfile.TemporaryDirectory() as home:
        for what in ("cold", "warm"):
            clock, worked = timed(tilerace, "check", "-j1", ".", XDG_CACHE_HOME=home)
            print(f"whole repository, {what}: {clock:.2f} (processors {worked:.2f})", flush=True)


def main():
    tilerace = os.path.abspath(sys.argv[1])
    if "--whole" in sys.argv:
        whole(tilerace)
        return
    tidy = sys.argv[2] if len(sys.argv) > 2 else None
    kernels = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "kernels").glob("*.c"))
    times = {}

    def note(what, seconds):
        times.setdefault(what, []).append(seconds)

    with tempfile.TemporaryDirectory() as home:
        cache = {"XDG_CACHE_HOME": home}
        copies = pathlib.Path(home) / "copies"
        copies.mkdir()
        for i in range(100):
            shutil.copy(ROOT / kernels[i % len(kernels)], copies / f"k{i}.c")
        hundred = sorted(map(str, copies.iterdir()))
        for _ in range(RUNS):
            shutil.rmtree(pathlib.Path(home) / "tilerace", ignore_errors=True)
            note(f"{len(kernels)} sources, cold", timed(tilerace, "check", "-j1", *kernels, **cache))
            note(f"{len(kernels)} sources, warm", timed(tilerace, "check", "-j1", *kernels, **cache))
            note(f"{len(kernels)} sources, no cache",
                 timed(tilerace, "check", "-j1", "--no-cache", *kernels))  # fmt: skip
            if tidy:
                note(f"{len(kernels)} sources, clang-tidy",
                     timed(tidy, "--quiet", *kernels, "--", "-std=c23", "-Iinclude"))  # fmt: skip
        timed(tilerace, "check", *hundred, **cache)
        for _ in range(RUNS):
            note("100 kernels, warm", timed(tilerace, "check", "-j1", *hundred, **cache))
    for what, seconds in times.items():
        clock, worked = zip(*seconds)
        print(f"{what}: {statistics.median(clock):.3f} (processors {statistics.median(worked):.3f})")


main()

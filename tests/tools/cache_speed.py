"""How long a check takes with and without results that were kept.

    cache_speed.py TILERACE [CLANG_TIDY] [--runs N] [--whole]

Checks kernels/*.c: cold (an empty cache), warm (all kept) and without a cache, in turns, one file at a
time, and the same sources by clang-tidy with its default checks; then 100 copies of kernels, warm. The
median of N runs each (3), in seconds of a clock and of processors, and what each run took in
proportion to clang-tidy in the same run. With --whole instead: everything that `tilerace check .` finds
in the repository, cold and warm. Ends with 1 where a run was not what its name says.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANY = 100  # copies


def processors():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(*words, codes=(0,), **env):
    """Seconds of a clock, and of processors; and what was said."""
    began, worked = time.monotonic(), processors()
    done = subprocess.run(words, cwd=ROOT, env=os.environ | env, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - began, processors() - worked
    if done.returncode not in codes:
        sys.exit(f"{' '.join(words[:4])} ... ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    return seconds, done.stdout + done.stderr


def check(tilerace, kept, *words, codes=(0,), **env):
    """`kept`: how many results come from the cache; None: there is none."""
    seconds, said = timed(tilerace, "check", "-v", "-j1", *words, codes=codes, **env)
    counted = re.search(r"(\d+) of (\d+) results came from the cache", said)
    if (kept is None) != (counted is None) or (kept is not None and kept(int(counted[1]), int(counted[2])) is False):
        sys.exit(f"tilerace check {' '.join(words[:3])} ...: {counted[0] if counted else 'there was no cache'}")
    return seconds


def none(found, asked):
    return found == 0 and asked > 0


def any_(found, asked):
    """Files of equal bytes, under one name, may share a result."""
    return asked > 0


def most(found, asked):
    """What cannot be read, is cut by a clock or asks for the time is not kept."""
    return found > 0.5 * asked


def every(found, asked):
    return found == asked > 0


def tidy_up(tidy, kernels):
    seconds, said = timed(tidy, "--quiet", *kernels, "--", "-std=c23", "-Iinclude")
    if " error: " in said:
        sys.exit(f"clang-tidy does not read the sources:\n{said[:2000]}")
    return seconds


def whole(tilerace, runs):
    times = {"cold": [], "warm": []}
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as home:
            for what, kept in (("cold", any_), ("warm", most)):
                times[what].append(check(tilerace, kept, ".", codes=(1, 2), XDG_CACHE_HOME=home))
    for what, seconds in times.items():
        clock, worked = zip(*seconds)
        print(f"whole repository, {what}: {statistics.median(clock):.2f} (processors {statistics.median(worked):.2f})")


def measure(tilerace, tidy, runs):
    kernels = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "kernels").glob("*.c"))
    times = {}

    def note(what, seconds):
        times.setdefault(what, []).append(seconds)

    with tempfile.TemporaryDirectory() as home:
        cache = {"XDG_CACHE_HOME": home}
        copies = pathlib.Path(home) / "copies"
        copies.mkdir()
        for i in range(MANY):
            shutil.copy(ROOT / kernels[i % len(kernels)], copies / f"k{i}.c")
        hundred = sorted(map(str, copies.iterdir()))
        for _ in range(runs):
            shutil.rmtree(pathlib.Path(home) / "tilerace", ignore_errors=True)
            note("cold", check(tilerace, none, *kernels, **cache))
            note("warm", check(tilerace, every, *kernels, **cache))
            note("no cache", check(tilerace, None, "--no-cache", *kernels))
            if tidy:
                note("clang-tidy", tidy_up(tidy, kernels))
        check(tilerace, none, *hundred, **cache)
        for _ in range(runs):
            note(f"{MANY} kernels, warm", check(tilerace, every, *hundred, **cache))
    for what, seconds in times.items():
        clock, worked = zip(*seconds)
        of = "" if what.startswith(str(MANY)) else f"{len(kernels)} sources, "
        print(f"{of}{what}: {statistics.median(clock):.3f} (processors {statistics.median(worked):.3f})")
    for what in ("cold", "warm", "no cache") if tidy else ():
        ratios = [a[0] / b[0] for a, b in zip(times[what], times["clang-tidy"])]
        print(f"{what} against clang-tidy: {statistics.median(ratios):.2f} (each run: {', '.join(f'{r:.2f}' for r in ratios)})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tilerace", type=os.path.abspath)
    parser.add_argument("clang_tidy", nargs="?")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--whole", action="store_true")
    o = parser.parse_args()
    if o.whole:
        whole(o.tilerace, o.runs)
    else:
        measure(o.tilerace, o.clang_tidy, o.runs)


main()

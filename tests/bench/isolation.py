"""What it costs that files are checked in processes of their own, and that these are confined (docs/limits.md): the
same files in turn by workers, by workers that are not confined, and in the program's own process, as where no process
can be made. Times of each round, and the median of the differences within a round.

    isolation.py TILERACE ATTEMPTS_LIBRARY ROUNDS FILE...

ATTEMPTS_LIBRARY is that of tests/cli/confined; it is loaded in every run, so that all pay for it.
"""

import os
import resource
import statistics
import subprocess
import sys
import time

TILERACE, ATTEMPTS, ROUNDS, *FILES = sys.argv[1:]
KINDS = {"confined workers": "nothing", "workers": "landlock seccomp", "one process": "fork"}


def took(lacks):
    """Wall and processor time."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run([TILERACE, "check", "--no-cache", "-q", "-j1", *FILES], check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env={**os.environ, "LD_PRELOAD": ATTEMPTS, "ATTEMPTS_LACK": lacks})
    wall = time.perf_counter() - began
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 1), done.returncode
    return wall, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


rounds = [{kind: took(lacks) for kind, lacks in KINDS.items()} for _ in range(int(ROUNDS))]
for which, name in enumerate(("wall", "processor")):
    for kind in KINDS:
        print(f"{name} {kind}: " + " ".join(f"{one[kind][which]:.2f}" for one in rounds) + " s")
    for one, other in (("confined workers", "one process"), ("confined workers", "workers")):
        more = [100 * (r[one][which] / r[other][which] - 1) for r in rounds]
        print(f"{name}: {one} take {statistics.median(more):+.1f} % (from {min(more):+.1f} to {max(more):+.1f}) beside {other}")

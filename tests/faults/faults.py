"""Has one call of the C library fail, by its number, in every command of the program: never a wrong
verdict, a lost result of another file, a hang or a silent success (docs/robustness.md).

    faults.py PROGRAM                 a sample: some points of each command line
    faults.py PROGRAM --all           every point where there are fewer than 2000, else 500 of them
    faults.py PROGRAM --case NAME [--kind KIND [--number N]]

PROGRAM is tilerace-faults, which the option TR_FAULTS of the build makes.
"""

import argparse
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

import cases
import judge
import language_server
import server

FEW, SOME, LSP = 2000, 500, 40


class Place:
    """A folder with the inputs, and a server that runs command lines in it."""

    def __init__(self, program, top):
        self.top = pathlib.Path(top)
        cases.prepare(self.top, str(pathlib.Path(program).with_name("tilerace")))
        self.server = server.Server(program, self.top)

    def clear(self, case):
        for name in ("out", "tmp", "home"):
            shutil.rmtree(self.top / name, ignore_errors=True)
            (self.top / name).mkdir()
        if case.cache:
            shutil.rmtree(self.top / "cache", ignore_errors=True)
            (self.top / "cache").mkdir()
            if case.cache == "warm":
                shutil.copytree(self.top / "warm", self.top / "cache", dirs_exist_ok=True)
                shutil.copytree(self.top / "warm-home", self.top / "home", dirs_exist_ok=True)

    def warm(self, case):
        """Keeps a cache with what a first run finds."""
        words = case.words if case.words[0] != "clean" else ["check", "-j1", cases.flat(cases.GOOD)]
        self.clear(cases.Case("", [], cache="cold"))
        self.server.run(["tilerace", *words], self.top / "in", cases.environment_of(case, self.top))
        for name, kept in (("cache", "warm"), ("home", "warm-home")):
            shutil.rmtree(self.top / kept, ignore_errors=True)
            shutil.copytree(self.top / name, self.top / kept)

    def files(self):
        out = self.top / "out"
        return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}

    def again(self, case, kind=None, number=0, most_ms=20000):
        """With what is there: a cache that a run with a fault has left."""
        words, environment = ["tilerace", *case.words], cases.environment_of(case, self.top)
        if case.language_server:
            return language_server.run(self.server, words, self.top / "in", environment, kind, number, most_ms)
        if case.stdin == "/dev/null":
            return self.server.run(words, self.top / "in", environment, kind, number, most_ms)
        streams = [str(self.top / "in" / case.stdin), str(self.top / "stdout"), str(self.top / "stderr")]
        for path in streams[1:]:
            pathlib.Path(path).write_bytes(b"")
        self.server.start(words, self.top / "in", environment, kind, number, most_ms, streams)
        return self.server.finish()

    def run(self, case, kind=None, number=0, most_ms=20000):
        self.clear(case)
        run = self.again(case, kind, number, most_ms)
        return run, self.files()


class Found:
    def __init__(self):
        self.points, self.injected = collections.Counter(), collections.Counter()
        self.ends = collections.defaultdict(collections.Counter)
        self.bad = []

    def table(self):
        columns = [*judge.GOOD, judge.WRONG, judge.LOST, judge.HANG, judge.SILENT]
        other = [kind for kind in judge.BAD if kind not in columns]
        rows = [["kind", "points", "injected", *columns, "other"]]
        for kind in [*server.KINDS, "all"]:
            ends = self.ends[kind] if kind != "all" else sum(self.ends.values(), collections.Counter())
            points, injected = ((self.points[kind], self.injected[kind]) if kind != "all" else
                                (sum(self.points.values()), sum(self.injected.values())))
            rows.append([kind, points, injected, *[ends[c] for c in columns], sum(ends[c] for c in other)])
        return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in
                         [rows[0], ["---"] + ["--:"] * (len(rows[0]) - 1), *rows[1:]])


def points_of(case, counts, words):
    """Kinds and numbers that are tried, always the same ones."""
    chosen = random.Random(zlib.crc32(f"{case.name} {words.seed}".encode()))
    kinds = [kind for kind in ([words.kind] if words.kind else server.KINDS) if counts[kind]]
    if words.number:
        return [(words.kind, words.number)]
    if not words.all:
        some = chosen.sample(kinds, min(len(kinds), words.sample))
        return [(kind, chosen.randint(1, counts[kind])) for kind in some]
    few, some = (LSP, LSP) if case.language_server else (words.few, words.some)
    return [(kind, number) for kind in kinds for number in
            (range(1, counts[kind] + 1) if counts[kind] < few else
             sorted(chosen.sample(range(1, counts[kind] + 1), some)))]


def place_of(program, site):
    done = subprocess.run(["addr2line", "-fe", program, hex(site - 1)], capture_output=True, text=True, check=False)
    return " ".join(done.stdout.split())


def try_case(place, case, words, found):
    if case.cache == "warm":
        place.warm(case)
    base, files = place.run(case)
    second, files_again = place.run(case)
    if judge.judge(case, base, second, files_again, files) != judge.SAME:
        found.bad.append((case.name, "none", 0, "differs without a fault", "", second, files_again))
        return
    begun = time.monotonic()
    place.run(case)
    most_ms = 10000 + 20 * int((time.monotonic() - begun) * 1000)
    counts = {kind: max(base.counts[kind], second.counts[kind]) for kind in server.KINDS}
    found.points.update(counts)
    for kind, number in points_of(case, counts, words):
        run, after = place.run(case, kind, number, most_ms)
        if not run.failed:
            continue
        found.injected[kind] += 1
        try:
            end = judge.judge(case, base, run, after, files)
        except (KeyError, ValueError):
            end = judge.CUT
        if case.cache and case.words[0] != "clean" and end in judge.GOOD:
            later = place.again(case)
            if judge.normal(later.out) != judge.normal(base.out):
                end = judge.WRONG  # what the run has left in the cache
        found.ends[kind][end] += 1
        if words.number or words.verbose:
            print(f"{case.name}: {kind} {number}: {end}: exit {run.code}\n{run.err.decode(errors='replace')}")
        if end not in judge.GOOD:
            found.bad.append((case.name, kind, number, end, place_of(words.program, run.site), run, after))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", type=int, default=2)
    parser.add_argument("--few", type=int, default=FEW, help="of a kind with fewer points all are tried")
    parser.add_argument("--some", type=int, default=SOME, help="else so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", action="append", help="the beginning of its name; any number of times")
    parser.add_argument("--skip", action="append", default=[], help="the same of those that are not tried")
    parser.add_argument("--kind", choices=server.KINDS)
    parser.add_argument("--number", type=int)
    parser.add_argument("--verbose", action="store_true")
    words = parser.parse_args()
    words.program = os.path.abspath(words.program)
    chosen = [c for c in cases.all_cases() if not words.case or any(c.name.startswith(n) for n in words.case)]
    chosen = [c for c in chosen if not any(c.name.startswith(n) for n in words.skip)]
    found = Found()
    with tempfile.TemporaryDirectory(prefix="faults-") as top:
        place = Place(words.program, os.path.realpath(top))
        for case in chosen:
            begun, before = time.monotonic(), len(found.bad)
            try_case(place, case, words, found)
            if words.all or words.verbose:
                print(f"{case.name}: {time.monotonic() - begun:.0f} s, {len(found.bad) - before} bad", flush=True)
        place.server.close()
    for name, kind, number, end, site, run, after in found.bad:
        said = run.err.decode(errors="replace").strip()[-300:]
        print(f"--case '{name}' --kind {kind} --number {number}: {end} (exit {run.code}) {site}\n    {said!r}, "
              f"{len(run.out)} bytes, files {sorted(after)}")
    print(found.table())
    good = bool(chosen) and not found.bad and (words.number or sum(found.injected.values()) > 0)
    print(f"{sum(found.injected.values())} faults, {len(found.bad)} of them wrong")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

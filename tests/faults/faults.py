"""Has one call of the C library fail, by its number, in every command of the program: never a wrong
verdict, a lost result of another file, a hang or a silent success (docs/robustness.md).

    faults.py PROGRAM                 a sample: some points of each command line
    faults.py PROGRAM --all           every point where there are fewer than 2000, else 500 of them;
                                      --jobs N at once, by default as many as there are processors
    faults.py PROGRAM --case NAME [--kind KIND [--number N]]

PROGRAM is tilerace-faults, which the option TR_FAULTS of the build makes.
"""

import argparse
import collections
import concurrent.futures
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
import checker_beside
import judge
import language_server
import server

FEW, SOME, CLIENT = 2000, 500, 40
CLIENTS = {"lsp": language_server, "beside": checker_beside}
PORTION = 60  # faults that one process tries of a case before it takes what is next


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
        if case.client:
            return CLIENTS[case.client].run(self.server, words, self.top / "in", environment, kind, number, most_ms)
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
        self.portions_left = 0

    def add(self, other):
        self.points.update(other.points)
        self.injected.update(other.injected)
        for kind, ends in other.ends.items():
            self.ends[kind].update(ends)
        self.bad += other.bad

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
    few, some = (CLIENT, CLIENT) if case.client else (words.few, words.some)
    return [(kind, number) for kind in kinds for number in
            (range(1, counts[kind] + 1) if counts[kind] < few else
             sorted(chosen.sample(range(1, counts[kind] + 1), some)))]


def place_of(program, site):
    if not shutil.which("addr2line"):
        return hex(site - 1)
    done = subprocess.run(["addr2line", "-fe", program, hex(site - 1)], capture_output=True, text=True, check=False)
    return " ".join(done.stdout.split())


class Trial:
    """A case in a place, with what it does without a fault."""

    def __init__(self, place, case):
        self.place, self.case = place, case
        if case.cache == "warm":
            place.warm(case)
        self.base, self.files = place.run(case)
        begun = time.monotonic()
        self.second, self.files_again = place.run(case)
        self.most_ms = 10000 + 20 * int((time.monotonic() - begun) * 1000)

    def counts(self):
        return {kind: max(self.base.counts[kind], self.second.counts[kind]) for kind in server.KINDS}

    def is_steady(self):
        if self.case.format in judge.ANSWERS and not self.base.out:
            return False  # it answers nothing: then nothing can be lost
        return judge.judge(self.case, self.base, self.second, self.files_again, self.files) == judge.SAME

    def end_of(self, run, after):
        try:
            end = judge.judge(self.case, self.base, run, after, self.files)
        except (KeyError, ValueError):
            return judge.CUT
        if self.case.cache and self.case.words[0] != "clean" and end in judge.GOOD:
            later = self.place.again(self.case)
            if judge.normal(later.out) != judge.normal(self.base.out):
                return judge.WRONG  # what the run has left in the cache
        return end

    def inject(self, kind, number, words, found):
        run, after = self.place.run(self.case, kind, number, self.most_ms)
        if not run.failed:
            return
        found.injected[kind] += 1
        end = self.end_of(run, after)
        found.ends[kind][end] += 1
        if words.number or words.verbose:
            print(f"{self.case.name}: {kind} {number}: {end}: exit {run.code}\n{run.err.decode(errors='replace')}")
        if end not in judge.GOOD:
            found.bad.append((self.case.name, kind, number, end, place_of(words.program, run.site), run, after))


class Worker:
    """What one process tries one after another, in a place of its own."""

    here = None

    def __init__(self, words, top):
        self.words, self.trial = words, None
        self.place = Place(words.program, tempfile.mkdtemp(dir=top))

    @classmethod
    def start(cls, words, top):
        cls.here = cls(words, top)

    def trial_of(self, case):
        if not self.trial or self.trial.case.name != case.name:
            self.trial = Trial(self.place, case)
        return self.trial


def count(case):
    """Its points, and what is wrong with it without a fault."""
    trial, found = Worker.here.trial_of(case), Found()
    if not trial.is_steady():
        found.bad.append((case.name, "none", 0, "differs without a fault", "", trial.second, trial.files_again))
        return found, []
    found.points.update(trial.counts())
    return found, points_of(case, trial.counts(), Worker.here.words)


def inject(case, points):
    begun, found = time.monotonic(), Found()
    trial = Worker.here.trial_of(case)
    for kind, number in points:
        trial.inject(kind, number, Worker.here.words, found)
    return case, found, time.monotonic() - begun


def try_all(chosen, words, found, top):
    """Each case is counted, then its points are tried in portions, by any of the processes."""
    pools = concurrent.futures.ProcessPoolExecutor
    with pools(words.jobs, initializer=Worker.start, initargs=(words, os.path.realpath(top))) as pool:
        tasks, seconds, bad = [], collections.Counter(), collections.Counter()
        for case, (counted, points) in zip(chosen, pool.map(count, chosen)):
            found.add(counted)
            tasks += [(case, points[i : i + PORTION]) for i in range(0, len(points), PORTION)]
        left = collections.Counter(case.name for case, _ in tasks)
        portions = [pool.submit(inject, *task) for task in tasks]
        for done in concurrent.futures.as_completed(portions):
            if words.seconds and time.monotonic() - words.begun > words.seconds:
                for portion in portions:
                    portion.cancel()
            if done.cancelled():
                found.portions_left += 1
                continue
            case, more, took = done.result()
            found.add(more)
            seconds[case.name] += took
            bad[case.name] += len(more.bad)
            left[case.name] -= 1
            if not left[case.name] and (words.all or words.verbose):
                print(f"{case.name}: {seconds[case.name]:.0f} s, {bad[case.name]} bad", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, help="processes that try faults at once")
    parser.add_argument("--sample", type=int, default=2)
    parser.add_argument("--few", type=int, default=FEW, help="of a kind with fewer points all are tried")
    parser.add_argument("--some", type=int, default=SOME, help="else so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", action="append", help="the beginning of its name; any number of times")
    parser.add_argument("--skip", action="append", default=[], help="the same of those that are not tried")
    parser.add_argument("--kind", choices=server.KINDS)
    parser.add_argument("--number", type=int)
    parser.add_argument("--seconds", type=int, help="after which nothing more is begun, and this is said")
    parser.add_argument("--verbose", action="store_true")
    words = parser.parse_args()
    words.program = os.path.abspath(words.program)
    words.begun = time.monotonic()
    words.jobs = words.jobs or (os.cpu_count() if words.all else 1)
    chosen = [c for c in cases.all_cases() if not words.case or any(c.name.startswith(n) for n in words.case)]
    chosen = [c for c in chosen if not any(c.name.startswith(n) for n in words.skip)]
    found = Found()
    with tempfile.TemporaryDirectory(prefix="faults-") as top:
        try_all(chosen, words, found, top)
    for name, kind, number, end, site, run, after in found.bad:
        said = run.err.decode(errors="replace").strip()[-300:]
        some = ", ".join(sorted(after)[:3])
        print(f"--case '{name}' --kind {kind} --number {number}: {end} (exit {run.code}) {site}\n    {said!r}, "
              f"{len(run.out)} bytes, {len(after)} files: {some}")
    print(found.table())
    if found.portions_left:
        print(f"{found.portions_left} portions of at most {PORTION} faults were not tried")
    good = bool(chosen) and not found.bad and not found.portions_left and (words.number or sum(found.injected.values()) > 0)
    print(f"{sum(found.injected.values())} faults, {len(found.bad)} of them wrong")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

"""A trial of the judge: the mistakes that generators make, in kernels of this repository.

    trial.py TILERACE [-n MISTAKES] [-seed S] [-j JOBS] [-pairs N|all] [-seconds S] [-keep FILE] [KERNEL.c...]

Each kernel gets MISTAKES mistakes, one at a time, drawn by the seed from those that its text has room
for; the kernel itself is the reference. It is told which stage and rule caught each, and what was not
caught. Then pairs of mistakes are made at once: correcting one of the two may not lower the score, unless
that one made up for what the other does to the values. With -seconds, no pair is begun after so long.
Exit code 1: a right kernel failed, or a score was out of order.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

STATIC = ("reads", "compiles", "well-formed", "bounds", "synchronisation", "races")
ROOT = pathlib.Path(__file__).resolve().parents[2]

# (name, pattern, replacement): a place is a match, and a mistake is one place changed.
MISTAKES = [
    ("wrong axis", r"tile_bid\(0\)", "tile_bid(1)"),
    ("wrong axis", r"tile_bid\(1\)", "tile_bid(0)"),
    ("axis not read", r"tile_bid\([12]\)", "0"),
    ("ids from 1", r"tile_bid\((\d)\)", r"(tile_bid(\1) + 1)"),
    ("several blocks, one tile", r"tile_bid\((\d)\)", r"(tile_bid(\1) / 2)"),
    ("order of indices", r"(tile_store\(\w+, [^;]*?), (\w+), (\w+)\);", r"\1, \3, \2);"),
    ("floor for ceiling", r"tile_cdiv\(([^(),]+), ([^(),]+)\)", r"((\1) / (\2))"),
    ("loop end one short", r"(for \([^;]*; \w+ < )([^;]+);", r"\1\2 - 1;"),
    ("loop end inclusive", r"(for \([^;]*; \w+ <)( [^;]+;)", r"\1=\2"),
    ("wrong step", r"(for \([^)]*; \w+) \+= (\w+)\)", r"\1 += 2 * \2)"),
    ("wrong operation", r"(?<=\w) \+ (?=\w)", " - "),
    ("wrong operation", r"(?<=\w) \* (?=\w)", " + "),
    ("operands swapped", r"tile_mma\((\w+), (\w+), ", r"tile_mma(\2, \1, "),
    ("extent for another", r"tile_tensor\((\w+), (\w+), (\w+)\)", r"tile_tensor(\1, \3, \2)"),
    ("constant for a size", r"tile_tensor\((\w+), ([a-z])\)", r"tile_tensor(\1, 128)"),
    ("token dropped", r"after\([^()]*\)", "after()"),
    ("relaxed", r"TILE_(RELEASE|ACQUIRE|ACQ_REL)", "TILE_RELAXED"),
    ("weak", r"TILE_RELAXED", "TILE_WEAK"),
    ("store dropped", r"    tile_store\([^;]*;\n", "    ;\n"),
]


def places(text, mistakes, begin, apart):
    """All mistakes that there is room for behind `begin`: (name, where, what stands there then). Lines
    that have one of the words of `apart` are no part of the kernel."""
    found = []
    body = text.index(begin)
    comments = [match.span() for match in re.finditer(r"/\*.*?\*/", text, re.S)]
    for name, pattern, with_ in mistakes:
        for match in re.finditer(pattern, text):
            if any(start <= match.start() < end for start, end in comments):
                continue
            line = text[text.rfind("\n", 0, match.start()) + 1:text.find("\n", match.start())]
            if match.start() > body and not any(word in line for word in apart):
                found.append((name, match.span(), match.expand(with_)))
    return found


def apply(text, mistakes):
    for _, (start, end), with_ in sorted(mistakes, key=lambda m: -m[1][0]):
        text = text[:start] + with_ + text[end:]
    return text


class Dialect:
    """Kernels in C: the right kernel is the reference."""

    def __init__(self, options):
        self.tilerace = os.path.abspath(options.tilerace)

    def kernels(self):
        return sorted((ROOT / "kernels").glob("*.c"))

    def places(self, text):
        # What is stated of launches is not the kernel's own doing.
        return places(text, MISTAKES, "tile_kernel", ("tile_kernel", "tile_grid", "tile_assume", "tile_extent", "//"))

    def judge(self, kernel, text):
        context = {"kernel": {"source": text, "defines": {}}, "reference": str(kernel)}
        run = subprocess.run([self.tilerace, "judge", "--api-mode"], input=json.dumps(context),
                             capture_output=True, text=True, check=False, cwd=kernel.parent)
        if run.returncode != 0:
            return {"class": "no answer", "score": 0, "faults": [], "stages": [], "why": run.stderr}
        return json.loads(run.stdout.splitlines()[-1])["tilerace"]


class Trial:
    def __init__(self, options, language):
        self.options = options
        self.judge = language.judge
        self.deadline = time.monotonic() + options.seconds if options.seconds else None

    def judge_all(self, jobs):
        """Of each job its answer; of a pair that is not begun in time, none. Those that the file of answers has are not
        judged again."""
        kept = {}
        if self.options.keep and os.path.exists(self.options.keep):
            with open(self.options.keep) as lines:
                kept = {key: own for key, own in map(json.loads, lines)}
        texts = {job: apply(job[0].read_text(), job[1]) for job in jobs}
        key_of = {job: "%s %s" % (job[0].name, hashlib.sha256(texts[job].encode()).hexdigest()) for job in jobs}
        out = open(self.options.keep, "a") if self.options.keep else None

        def judge(job):
            if len(job[1]) == 2 and key_of[job] not in kept and self.deadline and time.monotonic() > self.deadline:
                return None
            own = kept.get(key_of[job]) or self.judge(job[0], texts[job])
            if out and key_of[job] not in kept:
                out.write(json.dumps([key_of[job], own]) + "\n")
                out.flush()
            return own
        with concurrent.futures.ThreadPoolExecutor(self.options.j) as pool:
            return {job: own for job, own in zip(jobs, pool.map(judge, jobs)) if own}


def stage_of(own):
    return own["faults"][0]["stage"] if own["faults"] else own["class"]


def caught_by(own):
    """The stage, and the rule or the class."""
    if not own["faults"]:
        return (own["class"], "")
    fault = own["faults"][0]
    return fault["stage"], fault.get("rule") or fault["class"]


def gives_right_values(own):
    states = {stage["stage"]: stage["state"] for stage in own["stages"]}
    return all(states.get(stage) == "passed" for stage in ("written-wholly", "defined-values", "agrees"))


def main(language_of=Dialect):
    parser = argparse.ArgumentParser()
    parser.add_argument("tilerace")
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("-n", type=int, default=12)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("-pairs", type=lambda word: sys.maxsize if word == "all" else int(word), default=6,
                        help="of each kernel; or all")
    parser.add_argument("-seconds", type=float)
    parser.add_argument("-keep", help="a file of all answers, one a line: a trial that was stopped goes on from it")
    options = parser.parse_intermixed_args()
    language = language_of(options)
    trial = Trial(options, language)
    kernels = [pathlib.Path(k).resolve() for k in options.kernels] or language.kernels()
    jobs, pairs_of = [], []  # (kernel, mistakes); of each kernel, those with two
    possible = 0
    for kernel in kernels:
        found = language.places(kernel.read_text())
        draw = random.Random("%d %s" % (options.seed, kernel.name))  # whatever the other kernels are
        chosen = draw.sample(found, min(options.n, len(found)))
        jobs += [(kernel, ())] + [(kernel, (m,)) for m in chosen]
        pairs = [(a, b) for i, a in enumerate(chosen) for b in chosen[i + 1:]
                 if a[1][1] <= b[1][0] or b[1][1] <= a[1][0]]
        possible += len(pairs)
        pairs_of.append([(kernel, pair) for pair in draw.sample(pairs, min(options.pairs, len(pairs)))])
    # In turn, so that time ends them for all kernels alike.
    jobs += [job for jobs_of in itertools.zip_longest(*pairs_of) for job in jobs_of if job]
    known = trial.judge_all(jobs)

    wrong = 0
    by_kind = collections.defaultdict(collections.Counter)
    by_stage = collections.Counter()
    for (kernel, mistakes), own in known.items():
        if not mistakes and own["class"] != "passed":
            print(f"{kernel.name}: right, and judged {own['class']}: {own.get('feedback', own.get('why'))[:300]}")
            wrong += 1
        if len(mistakes) == 1:
            how = "statically" if stage_of(own) in STATIC else (
                "not at all" if own["class"] in ("passed", "unknown") else "by running")
            by_kind[mistakes[0][0]][how] += 1
            by_stage[caught_by(own)] += 1
            if how == "not at all":
                text = kernel.read_text()
                line = text.count("\n", 0, mistakes[0][1][0]) + 1
                print(f"{kernel.name}:{line}: {mistakes[0][0]}: {own['class']}: "
                      f"{text[slice(*mistakes[0][1])].strip()!r} -> {mistakes[0][2].strip()!r}")
    pairs = corrections = out_of_order = undone = 0
    for (kernel, mistakes), own in known.items():
        if len(mistakes) != 2:
            continue
        pairs += 1
        for one in mistakes:
            corrections += 1
            # Where one mistake makes up for what the other does to the values, to take it out corrects
            # nothing: the two together may even be a right kernel.
            if gives_right_values(own) and not gives_right_values(known[kernel, (one,)]):
                undone += 1
            elif known[kernel, (one,)]["score"] < own["score"]:
                out_of_order += 1
                print(f"{kernel.name}: score {own['score']} with {mistakes[0][0]} and {mistakes[1][0]}, "
                      f"{known[kernel, (one,)]['score']} with {one[0]} alone")
    total = collections.Counter()
    print(f"\n{'mistake':28}{'statically':>12}{'by running':>12}{'not at all':>12}")
    for name, row in sorted(by_kind.items()):
        print(f"{name:28}" + "".join(f"{row[how]:12}" for how in ("statically", "by running", "not at all")))
        total += row
    print(f"{'all':28}" + "".join(f"{total[how]:12}" for how in ("statically", "by running", "not at all")))
    print("\ncaught by " + ", ".join("%s %s: %d" % (*by, n) for by, n in by_stage.most_common()))
    print(f"right kernels that failed: {wrong} of {len(kernels)}; scores out of order: {out_of_order} of "
          f"{corrections - undone}, by {pairs} pairs of {possible}; in {undone} more the other mistake made up for "
          "it")
    return 1 if wrong or out_of_order else 0


if __name__ == "__main__":
    sys.exit(main())

"""Asks cvc5 what a check was asked, and compares the answers.

    ask_cvc5.py TILERACE CVC5_PYTHON [FILE|FOLDER...] [--every N] [--seconds S] [--least N]

CVC5_PYTHON is a Python that has the package cvc5 (ci/setup.sh --long: build/cvc5/bin/python3).
`tilerace check --keep-obligations` keeps each question with the answer that it came to, be it by a
strategy, by Z3 or by an earlier model; of these each text is taken once, and with --every each Nth.
cvc5 has S seconds (2) for one; so has Z3, which is asked the same text. Two programs that share no
code with tilerace then stand beside its answer.

Which questions there are does not depend on the machine, unless it is so slow that a kernel is ended
by --timeout: how many were is said.

Without FILE: kernels, build/fixtures/races, fixtures/races, tests/idioms, tests/preconditions and tests/undefined, which
are some 60,600 different questions: a gigabyte in the folder for temporary files, and hours without --every.
Ends with 1 where an answer of sat or unsat meets the other one, or cvc5 decides fewer than --least.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["kernels", "build/fixtures/races", "fixtures/races", "tests/idioms", "tests/preconditions", "tests/undefined"]
PORTION = 100
DECIDED = ("sat", "unsat")

# Run by the Python that has cvc5: a path a line in, an answer a line out.
ASKED = """
import sys
import cvc5
for line in sys.stdin:
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", sys.argv[1])
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, line.strip())
    names, said = parser.getSymbolManager(), ""
    try:
        while not (command := parser.nextCommand()).isNull():
            said += command.invoke(solver, names)
    except Exception as wrong:
        said = "error " + str(wrong)
    print(" ".join(said.split()) or "nothing", flush=True)
"""


class Cvc5:
    """A process that is started anew where it died or did not answer."""

    def __init__(self, python, seconds):
        self.words = [python, "-c", ASKED, str(seconds * 1000)]
        self.patience = 10 * seconds + 20
        self.process = None

    def ask(self, path):
        if not self.process:
            self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(path + "\n")
        self.process.stdin.flush()
        if select.select([self.process.stdout], [], [], self.patience)[0] and (line := self.process.stdout.readline()):
            return line.strip()
        self.end()
        return "no answer"

    def end(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
        self.process = None


def answers_of_z3(paths, seconds):
    """One process for all of them: each begins anew, and ends in a line of its own."""
    script = "".join(f"(reset)\n(set-option :timeout {seconds * 1000})\n{pathlib.Path(path).read_text()}\n"
                     '(echo "next")\n' for path in paths)  # fmt: skip
    done = subprocess.run([os.environ["TILERACE_SOLVER"], "-smt2", "-in"], input=script, capture_output=True,
                          text=True, check=False)
    parts = done.stdout.split("next\n")
    assert len(parts) == len(paths) + 1, f"Z3 ended early: {done.stdout[-300:]} {done.stderr[-300:]}"
    return [part.strip() for part in parts[:-1]]


def ask(questions, words):
    """(path, what the check said, what Z3 says, what cvc5 says)"""
    paths = [path for path, _ in questions]
    cvc5 = Cvc5(words.cvc5, words.seconds)
    try:
        others = [cvc5.ask(path) for path in paths]
    finally:
        cvc5.end()
    return [(*question, z3, other) for question, z3, other in zip(questions, answers_of_z3(paths, words.seconds), others)]


def take_status(path):
    """The answer of the check that a question has with it, which is taken out: a solver that is told
    what to answer may do so, or stop where it finds otherwise."""
    text = path.read_text()
    statuses = re.findall(r"^\(set-info :status (\w+)\)\n", text, re.MULTILINE)
    assert len(statuses) == 1, path
    path.write_text(re.sub(r"^\(set-info :status \w+\)\n", "", text, flags=re.MULTILINE))
    return statuses[0]


def keep_questions(words, folder):
    """(path, answer of the check). Of each input in a folder of its own, so that none takes another's
    place. Each text once; one that was answered in one check and not in another counts as answered."""
    kept = {}
    for number, path in enumerate(words.files or [str(ROOT / name) for name in FOLDERS]):
        to = pathlib.Path(folder, str(number))
        done = subprocess.run([words.tilerace, "check", "--no-cache", "--format=json", f"--keep-obligations={to}", path],
                              capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), (path, done.stderr)
        late = [f"{one['file']} {kernel['kernel']}" for one in json.loads(done.stdout)["inputs"] for kernel in one["kernels"]
                if (kernel.get("reason") or {}).get("kind") == "budget"]
        if late:
            print(f"{len(late)} kernels were ended before all was asked: {', '.join(late[:5])}", file=sys.stderr)
        for file in sorted(to.glob("*.smt2")) if to.exists() else []:
            said = take_status(file)
            text = file.read_bytes()
            key = hashlib.sha256(text[text.index(b"\n") :]).digest()  # without its name
            if {said, kept.get(key, ("", said))[1]} == set(DECIDED):
                sys.exit(f"{file.name}: the checks answer it in two ways\n{file.read_text()}")
            if key not in kept or kept[key][1] not in DECIDED:
                kept[key] = (str(file), said)
    return list(kept.values())[:: words.every]


def compare(asked):
    """What is said of a question: (agreed, disagreed, open) for each of its three pairs."""
    pairs = collections.defaultdict(collections.Counter)
    disagreed = []
    for path, check, z3, cvc5 in asked:
        for name, one, other in (("check", check, cvc5), ("Z3", z3, cvc5), ("check and Z3", check, z3)):
            if one in DECIDED:
                kind = "agreed" if one == other else "disagreed" if other in DECIDED else "open"
                pairs[name, one][kind] += 1
        if len({check, z3, cvc5}.intersection(DECIDED)) > 1:
            disagreed.append((path, check, z3, cvc5))
    return pairs, disagreed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tilerace")
    parser.add_argument("cvc5")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    words = parser.parse_args()
    words.tilerace = os.path.abspath(words.tilerace)
    os.environ.setdefault("TILERACE_SOLVER", str(ROOT / "build/solver/bin/z3"))
    with tempfile.TemporaryDirectory() as folder:
        questions = keep_questions(words, folder)
        portions = [questions[i : i + PORTION] for i in range(0, len(questions), PORTION)]
        with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
            asked = [one for some in pool.map(ask, portions, [words] * len(portions)) for one in some]
        pairs, disagreed = compare(asked)
        for path, check, z3, cvc5 in disagreed:
            print(f"{pathlib.Path(path).name}: the check {check}, Z3 {z3}, cvc5 {cvc5}\n{pathlib.Path(path).read_text()}")
    odd = collections.Counter(said for *_, cvc5 in asked for said in [cvc5] if said not in (*DECIDED, "unknown"))
    print(f"{len(asked)} questions, {words.seconds} s each")
    print("| whose answer | answer | questions | agreed | not decided by the other | disagreed |")
    print("| --- | --- | --: | --: | --: | --: |")
    for name in ("check", "Z3", "check and Z3"):
        for answer in ("unsat", "sat"):
            n = pairs[name, answer]
            print(f"| {name} | {answer} | {sum(n.values())} | {n['agreed']} | {n['open']} | {n['disagreed']} |")
    for said, times in odd.most_common(5):
        print(f"cvc5, {times} times: {said}")
    agreed = pairs["check", "unsat"]["agreed"] + pairs["check", "sat"]["agreed"]
    sys.exit(1 if disagreed or agreed < words.least else 0)


if __name__ == "__main__":
    main()

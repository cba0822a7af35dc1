"""`tilerace dump` against NVIDIA's tileirdisasm on mutated modules: does one read what the other refuses,
and where both read, do they print the same? Each kind of disagreement is counted once, with an example.

    dump_differently.py TILEIRDISASM [TILERACE] [--tries N] [--seed N] [--keep FOLDER] [MODULE...]

Modules are those of tests/unit/bytecode/data and kernels/ where none is named. A mutation changes, removes,
inserts or repeats some bytes, or joins the beginning of one module to the end of another. NVIDIA's program
runs in a process of its own with limits: it may crash on what it reads.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 20


def mutate(chosen, data, others):
    data = bytearray(data)
    for _ in range(chosen.choice((1, 1, 1, 2, 4))):
        at = chosen.randrange(8, len(data)) if len(data) > 8 else 0
        kind = chosen.randrange(7)
        if kind == 0:
            data[at:at + 1] = bytes([chosen.randrange(256)])
        elif kind == 1:
            data[at:at + 1] = bytes([data[at] ^ 1 << chosen.randrange(8)]) if at < len(data) else b""
        elif kind == 2:
            data[at:at + 1] = bytes([(data[at] + chosen.choice((1, -1))) % 256]) if at < len(data) else b""
        elif kind == 3:
            del data[at:at + chosen.randrange(1, 5)]
        elif kind == 4:
            data[at:at] = bytes(chosen.randrange(256) for _ in range(chosen.randrange(1, 5)))
        elif kind == 5:
            length = chosen.randrange(1, 9)
            to = chosen.randrange(8, len(data)) if len(data) > 8 else 0
            data[to:to + length] = data[at:at + length]
        else:
            data = data[:at] + chosen.choice(others)[at:]
    return bytes(data)


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(words):
    try:
        done = subprocess.run(words, capture_output=True, timeout=SECONDS, check=False, preexec_fn=limited,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "hangs", "", ""
    out, err = (data.decode("utf-8", "replace") for data in (done.stdout, done.stderr))
    return ("reads" if done.returncode == 0 else "crashes" if done.returncode < 0 else "refuses"), out, err


def gist(text):
    """An error without its numbers and names."""
    lines = [line for line in text.splitlines() if "error" in line.lower()] or text.splitlines() or [""]
    line = re.sub(r"^.*?error:\s*", "", lines[0])
    return re.sub(r"'[^']*'|\"[^\"]*\"|\b(0x)?[0-9a-f]*\d[0-9a-f]*\b", "_", line)[:90]


def first_difference(a, b):
    lines_a, lines_b = (re.sub(r"^module.*\n|[ \t]+$", "", t, flags=re.MULTILINE).splitlines() for t in (a, b))
    for line_a, line_b in zip(lines_a, lines_b):
        if line_a != line_b:
            word = re.search(r"=? *([a-z_]+)\b", line_b.split("=", 1)[-1])
            return f"text of {word[1] if word else '_'}", f"ours:   {line_a.strip()}\n      theirs: {line_b.strip()}"
    return ("text ends earlier", "") if len(lines_a) != len(lines_b) else ("", "")


def compare(tilerace, disassembler, path):
    """The kind of disagreement, and what shows it; "": there is none."""
    ours, our_text, our_error = run([tilerace, "dump", path])
    theirs, their_text, their_error = run([disassembler, path])
    if ours in ("crashes", "hangs"):
        return f"ours {ours}", our_error[:200]
    if theirs in ("crashes", "hangs"):
        return ("" if ours == "refuses" else f"theirs {theirs}, ours reads"), their_error[:200]
    if ours != theirs:
        said = our_error if ours == "refuses" else their_error
        return f"{'ours' if ours == 'refuses' else 'theirs'} refuses alone: {gist(said)}", said.strip()[:300]
    return first_difference(our_text, their_text) if ours == "reads" else ("", "")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("disassembler")
    parser.add_argument("tilerace", nargs="?", default=str(ROOT / "build/ci/tilerace"))
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--tries", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    words = parser.parse_args()
    paths = [pathlib.Path(m) for m in words.modules] or sorted(
        [*(ROOT / "tests/unit/bytecode/data").glob("*.tilebc"), *(ROOT / "kernels").rglob("*.tilebc")])
    modules = [path.read_bytes() for path in paths]
    chosen, kinds, agreed, examples = random.Random(words.seed), collections.Counter(), 0, {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.tilebc")
        for number in range(words.tries):
            data = mutate(chosen, chosen.choice(modules), modules) if number else modules[0]
            pathlib.Path(path).write_bytes(data)
            kind, shown = compare(words.tilerace, words.disassembler, path)
            agreed += not kind
            if not kind:
                continue
            kinds[kind] += 1
            if kind not in examples:
                examples[kind] = shown
                if words.keep:
                    words.keep.mkdir(parents=True, exist_ok=True)
                    (words.keep / f"{len(examples):03}.tilebc").write_bytes(data)
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}\n      {examples[kind]}")
    print(f"{words.tries} modules: {agreed} agreed, {sum(kinds.values())} did not, in {len(kinds)} ways")
    sys.exit(any(kind.startswith("ours crashes") or kind.startswith("ours hangs") for kind in kinds))


if __name__ == "__main__":
    main()

"""The same input gives the same bytes: whatever -j, load, order, and what was checked before.

    same.py TILERACE [--full] [--runs N] [FILE...]

Without FILE a sample of the repository is checked: alone and together, with -j1 and -j2, in two
orders, twice in one process, and while busy processes take the processors. --full takes the whole
repository, N times (default 10) for each of -j1 and -j2, half of them idle and half under a load of
6, at least once each. Reports are compared as bytes, time_ms left out. Exit code 1 with the first
difference of each file.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOAD = 6
FOLDERS = ("kernels", "build/fixtures", "fixtures", "models/tileir_memory/litmus", "tests/idioms", "tests/preconditions", "tests/undefined")
# What takes longest, what asks the solver, and what synchronises; a module of each front end.
SAMPLE = """kernels/vector_add.c kernels/transpose.c kernels/matmul_swizzle.c kernels/scan_chained.c
kernels/matmul_locked.c kernels/python/matmul_grouped.tilebc kernels/cpp/segment_ids.tilebc
build/fixtures/races/gather_scale_pairs.c build/fixtures/races/matmul_counted_relaxed_unlock.c
fixtures/races/python/unsort_experts_padding_kept.tilebc""".split()


def whole_repository():
    files = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".c", ".tilebc"):
                files.append(str(path.relative_to(ROOT)))
    return files


class Load:
    """So many processes that do nothing but work."""

    def __init__(self, processes):
        self.command = [sys.executable, "-c", "while True: pass"]
        self.processes = processes

    def __enter__(self):
        self.running = [subprocess.Popen(self.command) for _ in range(self.processes)]

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()


def check(program, files, jobs):
    """The report as text without times, and one text a file in the order of the command line."""
    command = [program, "check", "--format", "json", f"-j{jobs}", *files]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command[:5])} ...: exit code {done.returncode}\n{done.stderr}")
    text = re.sub(r'"time_ms":\s*[0-9.]+', '"time_ms": 0', done.stdout)
    inputs = json.loads(text)["inputs"]
    return text, [json.dumps(entry, indent=1) for entry in inputs]


class Comparison:
    def __init__(self, program):
        self.program = program
        self.first = {}  # by file
        self.whole = {}  # by list of files
        self.compared = 0
        self.wrong = []

    def run(self, files, jobs, how):
        whole, parts = check(self.program, files, jobs)
        if self.whole.setdefault(tuple(files), whole) != whole and not self.wrong:
            self.wrong.append("the report as a whole")
        for name, text in zip(files, parts, strict=True):
            before = self.first.setdefault(name, text)
            self.compared += 1
            if before == text or name in self.wrong:
                continue
            self.wrong.append(name)
            for old, new in zip(before.splitlines(), text.splitlines()):
                if old != new:
                    print(f"{name} ({how}):\n  was {old.strip()[:300]}\n  is  {new.strip()[:300]}")
                    break

    def sample(self, files):
        self.run(files, 1, "-j1")
        self.run(files[::-1], 1, "-j1, the other order")
        self.run(files, 2, "-j2")
        self.run(files + files, 2, "twice in one process")
        for name in files:
            self.run([name], 1, "alone")
        with Load(LOAD):
            self.run(files, 2, f"-j2 under a load of {LOAD}")

    def full(self, files, runs):
        for jobs in (1, 2):
            for i in range(max(runs, 2)):
                order = files if i % 2 == 0 else files[::-1]
                load = LOAD if i >= max(runs, 2) // 2 else 0
                with Load(load):
                    self.run(order, jobs, f"run {i + 1} with -j{jobs} under a load of {load}")


def main():
    words = sys.argv[1:]
    full = "--full" in words
    runs = 10
    if "--runs" in words:
        at = words.index("--runs")
        runs = int(words[at + 1])
        del words[at : at + 2]
    words = [word for word in words if word != "--full"]
    program = os.path.abspath(words[0])
    comparison = Comparison(program)
    files = words[1:] or (whole_repository() if full else SAMPLE)
    missing = [name for name in files if not (ROOT / name).exists()]
    if missing:
        sys.exit(f"no such file: {' '.join(missing)}")
    if full:
        comparison.full(files, runs)
    else:
        comparison.sample(files)
    print(f"{len(files)} files, {comparison.compared} reports: {len(comparison.wrong)} differ")
    sys.exit(1 if comparison.wrong else 0)


if __name__ == "__main__":
    main()

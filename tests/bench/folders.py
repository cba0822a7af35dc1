"""What it costs to look for kernels in a folder, and for configurations.

    folders.py TILERACE FOLDER [TURNS]

Pairs of runs over a copy of FOLDER in which each source and module is cut to the bytes by which it is
known, so that nothing is left to be checked: with the folder and with the same files by name, with a
configuration and without one. The figures are of processor time.
"""

import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

MAGIC = b"\x7fTileIR\0"
CONFIGURATION = '[tilerace]\nignore = ["TR026"]\nexclude = ["build/"]\n'


def copy(source, to):
    for path in sorted(source.rglob("*")):
        if path.is_file() and ".git" not in path.parts:
            copied = to / path.relative_to(source)
            copied.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix in (".c", ".tilebc"):
                copied.write_bytes(MAGIC)
            else:
                shutil.copy(path, copied)


def time_of(program, words, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [program, "check", "-j1", "--format=json", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent * 1000, json.loads(done.stdout)


def main():
    program, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        copy(source, top / "kernels")
        (top / ".git").mkdir()
        (top / "tilerace.toml").write_text(CONFIGURATION)
        files = [i["file"] for i in time_of(program, ["kernels"], top)[1]["inputs"]]
        print(f"{len(files)} files")
        for what, one, other in (
            ("a folder against its files by name", ["--isolated", "kernels"], ["--isolated", *files]),
            ("a configuration above against --isolated", files, ["--isolated", *files]),
        ):
            differences, others = [], []
            for turn in range(turns):
                order = (one, other) if turn % 2 else (other, one)
                times = [time_of(program, words, top)[0] for words in order]
                spent, compared = times if turn % 2 else reversed(times)
                differences.append(spent - compared)
                others.append(compared)
            low, _, high = statistics.quantiles(differences, n=4)
            print(
                f"{what}: {statistics.median(differences):.1f} ms more (quartiles {low:.1f} and "
                f"{high:.1f}) than {statistics.median(others):.1f} ms"
            )


if __name__ == "__main__":
    main()

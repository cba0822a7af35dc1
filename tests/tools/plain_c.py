"""Checks that kernels are C to an ordinary compiler, against the header alone.

    plain_c.py INCLUDE_FOLDER FILE...

clang-19 takes every file as C23 without a warning; gcc takes those that use nothing newer as C11.
"""

import re
import subprocess
import sys

NEWER_THAN_C11 = re.compile(r"\bconstexpr\b|\bnullptr\b|\[\[|\btypeof\b|\bauto\s+\w+\s*=|\d'\d|\b0b[01]")


def compile_with(command, path):
    run = subprocess.run([*command, path], capture_output=True, text=True, check=False)
    if run.returncode != 0 or run.stderr:
        print(f"{' '.join(command)} {path}\n{run.stderr}")
        return 1
    return 0


def main():
    include, files = sys.argv[1], sys.argv[2:]
    wrong = 0
    n_c11 = 0
    for path in files:
        clang = ["clang-19", "-std=c23", "-fsyntax-only", "-Wall", "-I", include]
        wrong += compile_with(clang, path)
        with open(path, encoding="utf-8") as file:
            newer = NEWER_THAN_C11.search(file.read())
        if not newer:
            n_c11 += 1
            wrong += compile_with(["gcc", "-std=c11", "-fsyntax-only", "-Wall", "-I", include], path)
    print(f"{len(files)} files as C23, {n_c11} of them as C11 too, {wrong} rejected")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())

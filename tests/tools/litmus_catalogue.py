"""Checks that every row of the litmus catalogue has its test, and that the list of open ones is true.

The numbers are those of docs/memory-model.md, section 5; tests beyond the catalogue carry on from
there. A test says on which small launches it can be enumerated: `// LAUNCH grid X n VALUE ...`."""

import pathlib
import re
import sys

FOLDER = pathlib.Path("models/tileir_memory/litmus")
LAST_ROW = 90
LAUNCH = re.compile(r"// LAUNCH grid \d+(,\d+){0,2}( \w+ -?\d+)*( after \w+)?( reading per-name)?( observation causal)?( despite-races)?( beyond-interpreter)?")


def mistakes():
    tests = sorted(FOLDER.glob("*.c"))
    numbers = {int(path.name.split("_")[0]) for path in tests}
    for number in range(1, LAST_ROW + 1):
        if number not in numbers:
            yield f"row {number} has no test"
    for path in tests:
        lines = path.read_text(encoding="utf-8").splitlines()
        launches = [line for line in lines if "// LAUNCH" in line]
        if not launches:
            yield f"{path}: no // LAUNCH line"
        for line in launches:
            if not LAUNCH.fullmatch(line):
                yield f"{path}: '{line}' is no launch"
        if not lines[0].startswith(f"/* {int(path.name.split('_')[0])}"):
            yield f"{path}: does not start with its number and its reason"
    for line in (FOLDER / "OPEN").read_text(encoding="utf-8").splitlines():
        name, _, reason = line.partition(" ")
        if name and name != "#" and not (pathlib.Path(name).is_file() and reason.strip()):
            yield f"OPEN: '{line}' names no file, or gives no reason"


def main():
    wrong = list(mistakes())
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

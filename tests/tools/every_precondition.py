"""Each kind of precondition is made by some code, listed in the report's schema and in the
documents, and expected of some kernel.

    every_precondition.py

Reads the sources.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ("tests/preconditions", "tests/idioms", "tests/undefined", "kernels")
# Every verdict has it, so that expectations leave it out (expect.py).
NOT_EXPECTED = {"distinct-buffers"}


def kinds():
    """Of each row: its id, name and class."""
    table = (ROOT / "analyzer/contract/preconditions.def").read_text()
    rows = re.findall(r'^PRECONDITION\((\w+), "([^"]+)", (\w+),', table, re.MULTILINE)
    assert len(rows) == len(re.findall(r"^PRECONDITION\(", table, re.MULTILINE)), "a row has another form"
    return rows


def made():
    """The ids that code of the rooms other than that of the table names."""
    files = [path for path in ROOT.glob("analyzer/*/*.c") if path.parent.name != "contract"]
    return set(re.findall(r"\bPRECONDITION_(\w+)\b", "\n".join(path.read_text() for path in files)))


def expected():
    """The names that kernels expect, and NAME:CLASS where one expects that class."""
    words = set()
    for folder in KERNELS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".c", ".cu", ".py", ".rs"):
                for line in re.findall(r"^(?://|#) EXPECT requires (.*)$", path.read_text(), re.MULTILINE):
                    words |= set(line.split())
    return words | {word.split(":")[0] for word in words}


def main():
    rows, code, kernels = kinds(), made(), expected()
    schema = json.loads((ROOT / "docs/report.schema.json").read_text())
    listed = schema["$defs"]["require"]["properties"]["kind"]["enum"]
    page = (ROOT / "docs/preconditions.md").read_text()
    wrong = []
    for identifier, name, usual in rows:
        wanted = f"{name}:race" if usual == "RACE" else name
        if identifier not in code:
            wrong.append(f"no code makes a precondition of the kind '{name}' (PRECONDITION_{identifier})")
        if name not in listed:
            wrong.append(f"docs/report.schema.json does not list '{name}' among the kinds of preconditions")
        if f"| `{name}` | {usual.lower()} |" not in page:
            wrong.append(f"docs/preconditions.md has no row for '{name}' with the class {usual.lower()}")
        if wanted not in kernels and name not in NOT_EXPECTED:
            wrong.append(f"no kernel of tests/preconditions says '// EXPECT requires {wanted}'")
    names = {name for _, name, _ in rows}
    wrong += [f"docs/report.schema.json lists '{name}', which is no kind" for name in listed if name not in names]
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{len(rows)} kinds, {len(wrong)} errors")
    return 1 if wrong or len(rows) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())

"""Checks the table of docs/memory-model.md, section 6, against the tree: every rule of section 1 has
its row, every file named is there, every test named exists, every litmus row has its file.

Run in the repository's root."""

import pathlib
import re
import sys

PAGE = pathlib.Path("docs/memory-model.md")
LITMUS = pathlib.Path("models/tileir_memory/litmus")
FOLDERS = {"model": "models/tileir_memory", "interp": "runtime_check/interp",
           "executions": "runtime_check/executions", "summary": "analyzer/index_space",
           "question": "analyzer/question", "order": "analyzer/order", "rules": "analyzer/rules"}
NAMES = re.compile(r"[DAU]\d+'?")
FILE = re.compile(r"`([\w./]+\.(?:c|h|def))`")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rules_of(text):
    """The rules that section 1 states, by name."""
    section = text[text.index("## 1."):text.index("## 2.")]
    for line in section.splitlines():
        match = re.match(r"\| ([DAU]\d+'?) \| ", line)
        if match:
            yield match[1], cells(line)


def rows_of(text):
    section = text[text.index("## 6."):text.index("## 7.")]
    for line in section.splitlines():
        row = cells(line)
        if len(row) == 5 and NAMES.match(row[0]):
            yield row


def named_files(cell):
    """`file.c` in a folder named before it, or a path of its own."""
    folder = None
    for part in re.split(r"[;,]", cell):
        for word in re.findall(r"\b(" + "|".join(FOLDERS) + r")\b", part.split("`")[0]):
            folder = FOLDERS[word]
        for name in FILE.findall(part):
            yield pathlib.Path(name if "/" in name else f"{folder}/{name}")


def named_tests(cell):
    for name in re.findall(r"`([\w./]+)`", cell):
        if name.startswith("tests/"):
            yield pathlib.Path(name)
        elif name.endswith(".md"):
            yield pathlib.Path("docs/rules", pathlib.Path(name).name)
        else:
            yield pathlib.Path("tests/unit", name + ".c")


def numbers(cell):
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", cell):
        yield from range(int(first), int(last or first) + 1)


def mistakes():
    text = PAGE.read_text(encoding="utf-8")
    there = {int(path.name.split("_")[0]) for path in LITMUS.glob("*.c")}
    in_table = set()
    for row in rows_of(text):
        in_table.update(NAMES.findall(row[0]))
        for path in [*named_files(row[2]), *named_tests(row[3])]:
            if not path.exists():
                yield f"{row[0]}: {path} is not there"
        for number in numbers(row[4]):
            if number not in there:
                yield f"{row[0]}: there is no litmus test {number}"
    stated = dict(rules_of(text))
    for name, row in stated.items():
        if name not in in_table:
            yield f"{name} has no row in section 6"
        if "`" in row[2 if len(row) > 2 else 1] and ".c`" in row[-1]:
            yield f"{name}: section 1 says where it lives, not what it is"
    for name in in_table - set(stated):
        yield f"{name} of section 6 is not stated in section 1"


def main():
    wrong = list(mistakes())
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

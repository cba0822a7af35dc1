"""Checks that what a source expects can be found in its module.

    places.py TILEIRDISASM MODULE SOURCE

Every place that an EXPECT line names must be the line of a memory operation, as the module's debug
records say: of the innermost call that lies in the source itself.
"""

import pathlib
import re
import subprocess
import sys

MEMORY = re.compile(r"\b(?:(?:load|store|red|rmw|cas)_\w*tko|atomic_\w+_tko)\b")
LOCATION = re.compile(r"loc\((#loc\d*)\)\s*$")


def read_locations(text):
    """What each location record says, by its name."""
    return {
        match[1]: match[2]
        for match in re.finditer(r"^(#loc\d*) = (.*)$", text, flags=re.MULTILINE)
    }


def frames(name, records):
    """(file name, line) of a location, innermost call first."""
    record = records.get(name, "")
    call = re.fullmatch(r"loc\(callsite\((#loc\d*) at (#loc\d*)\)\)", record)
    if call:
        return frames(call[1], records) + frames(call[2], records)
    scoped = re.match(r"#cuda_tile\.di_loc<(#loc\d*) in ", record)
    if scoped:
        return frames(scoped[1], records)
    plain = re.fullmatch(r'loc\("([^"]*)":(\d+):\d+\)', record)
    return [(pathlib.PurePath(plain[1]).name, int(plain[2]))] if plain else []


def lines_of(ops, text, source):
    """The lines of the source on which such operations stand."""
    records = read_locations(text)
    lines = set()
    for line in text.splitlines():
        place = LOCATION.search(line)
        if not place or not ops.search(line):
            continue
        own = [number for file, number in frames(place[1], records) if file == source.name]
        lines.update(own[:1])
    return lines


def expected_lines(source):
    """The lines that the source's EXPECT lines name."""
    lines = source.read_text(encoding="utf-8").split("\n")
    markers = {}
    for number, line in enumerate(lines, 1):
        comment = re.search(r"(?://|#)((?:\s*@[A-Za-z_]\w*)+)\s*$", line)
        for name in re.findall(r"@(\w+)", comment[1]) if comment else []:
            markers[name] = number
    for line in lines:
        expectation = re.match(r"\s*(?://|#) EXPECT TR\d{3} (.*)$", line)
        for name in re.findall(r"@(\w+)", expectation[1]) if expectation else []:
            yield name, int(name) if name.isdigit() else markers.get(name)


def main():
    disassembler, module, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    text = subprocess.run([disassembler, "-g", module], capture_output=True, text=True, check=True)
    # Races are of memory operations; undefined behaviour may be of any.
    is_undefined = source.parent.name == "undefined"
    there = lines_of(re.compile("") if is_undefined else MEMORY, text.stdout, source)
    wrong = 0
    for name, line in expected_lines(source):
        if line not in there:
            kind = "operations" if is_undefined else "memory operations"
            print(f"{source}: @{name} is line {line}; {kind} stand on {sorted(there)}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

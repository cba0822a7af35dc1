#!/usr/bin/env python3
"""Holds the link graph: which file calls which and how functions are named, as the objects say it.

    ci/check_links.py [BUILD] [--report]      BUILD: a folder that was built, else build/ci

A file stands for the object that is compiled from it. It calls another file when its object names a
symbol that the other one defines, be it a function, a table or a variable; `nm` tells. Names that
are local to a file count for nothing, and neither do pointers to functions that a file is handed.

What is held, of all rooms in the matrix of ci/check_includes.sh:

order     A file calls its own room, and rooms whose rows stand above its own in the matrix.
circles   Files that reach each other by calls are a circle, the strongly connected component of the
          graph. None has more than 6 files. The walks over the structure of a program are recursive
          by nature: WALKS names their rooms, whose circles may be of any size but lie in that room.
rooms     No room has more than 40 files that are compiled.
prefixes  The first word of a function's name belongs to one room, so that a call tells whom it
          calls. ENTRIES are the words of functions that a table lists, one of each file of its rooms.
exports   A function or variable that one file alone uses is static there. One that only tests use says so:
          the comments above its declaration, up to a blank line, have the word "tests". Names of a
          room's tables (.def) are exempt, since a table calls them, and so are those that the shared
          libraries show, and those that only assembly names (ASSEMBLY).
between   "Files between an access and its verdict" are those that somebody reads who follows how a
          pair of accesses is decided: every file on a path of calls from the file that defines
          `pair_decide` to the file that defines `smt_check`, both included, the other
          files of the rooms of smt left out. This is told, not held.

EXCEPTIONS has what is not so yet. It only shrinks: what is more than it says fails, and what is less
is told, so that the next commit can write the smaller number. With --report all that is found is
printed: the calls against the order with their symbols, and the files of each circle."""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

MOST_IN_A_CIRCLE = 6
MOST_IN_A_ROOM = 40
WALKS = {"analyzer/dialect", "analyzer/index_space", "runtime_check/interp"}
BETWEEN = ("pair_decide", "smt_check", "smt")

# Rooms that stand in for a driver of CUDA or for the C library: they define names of these, which
# other rooms mean when they call them. The rooms behind each are linked with it.
APART = {
    "capture/stand_in": {"capture/recorder"},
    "capture/preload": {"capture/recorder"},
    "analyzer/faults": set(),
}

# First words of functions that tables list, one in each of many rooms, and those of a library whose
# rooms have one name for its users.
ENTRIES = {"command", "rule"}
LIBRARIES = {"smt": "smt/"}

ASSEMBLY = {"preload_symbol", "preload_next_dlsym"}

EXCEPTIONS = {
    # caller: how many names it uses of rooms below its own
    "order": {},
    # room of the circle: how many files it has
    "circles": {},
    # room: how many files it has
    "rooms": {},
    # names that no other file uses, and that are not static
    "exports": set(),
}


def read_rooms(root):
    """Returns the folders of the matrix, in its order."""
    text = (root / "ci/check_includes.sh").read_text()
    matrix = re.search(r"^matrix='\n(.*?)^'", text, re.M | re.S).group(1)
    return [line.split("|")[0].strip() for line in matrix.splitlines()]


def find_objects(root, build, rooms):
    """Returns the object of each compiled file of a room, and the files that have none."""
    objects = {}
    for path in sorted(build.glob("CMakeFiles/*.dir/**/*.o")):
        source = str(path.relative_to(build / "CMakeFiles"))[:-2].split("/", 1)[1]
        objects.setdefault(source, path)
    found, missing = {}, []
    for room in rooms:
        for path in sorted((root / room).glob("*.c")) + sorted((root / room).glob("*.cpp")):
            source = f"{room}/{path.name}"
            if source in objects:
                found[source] = objects[source]
            elif path.name != "main.c":
                missing.append(source)
    return found, missing


def room_of(source):
    return source.rsplit("/", 1)[0]


def read_symbols(objects):
    """Returns the files that define each name, and the names that each file takes from others."""
    source_of = {str(path): source for source, path in objects.items()}
    nm = subprocess.run(["nm", "-A", *source_of], check=True, capture_output=True, text=True)
    defined, wanted = collections.defaultdict(list), collections.defaultdict(set)
    functions = collections.defaultdict(set)
    for line in nm.stdout.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        if kind == "U":
            wanted[source_of[path]].add(name)
        elif kind.isupper() and kind not in "AN":
            defined[name].append(source_of[path])
            if kind == "T" and "_" in name:
                functions[name.split("_")[0]].add(room_of(source_of[path]))
    return defined, wanted, functions


def definer(name, caller, defined):
    """The file that a name in `caller` is linked with; None: none of ours."""
    for source in defined.get(name, []):
        if room_of(source) == room_of(caller):
            return source
    for source in defined.get(name, []):
        if room_of(caller) in APART.get(room_of(source), {room_of(caller)}):
            return source
    return None


def build_graph(objects):
    """calls[a][b]: the names by which file a calls file b."""
    defined, wanted, functions = read_symbols(objects)
    calls = {source: collections.defaultdict(list) for source in objects}
    for caller, names in wanted.items():
        for name in sorted(names):
            callee = definer(name, caller, defined)
            if callee and callee != caller:
                calls[caller][callee].append(name)
    return calls, defined, functions


def find_exports(objects, build):
    """Returns the hidden functions and variables of each file, and the files that use each name."""
    source_of = {str(path): source for source, path in objects.items()}
    others = {str(path): str(path) for path in sorted(build.glob("**/*.o"))}
    symbols = subprocess.run(["readelf", "-sW", *{**others, **source_of}], check=True,
                             capture_output=True, text=True).stdout
    exported, users = {}, collections.defaultdict(set)
    file = ""
    for line in symbols.splitlines():
        if line.startswith("File: "):
            file = line.split()[1]
            continue
        fields = line.split()
        if len(fields) != 8 or fields[4] not in ("GLOBAL", "WEAK"):
            continue
        kind, visibility, section, name = fields[3], *fields[5:]
        if section == "UND":
            users[name].add(file)
        elif visibility == "HIDDEN" and kind in ("FUNC", "OBJECT") and file in source_of:
            exported[name] = source_of[file]
    return exported, users


def names_in_tables(root, room):
    tables = "".join(path.read_text() for path in (root / room).glob("*.def"))
    return set(re.findall(r"\w+", tables))


def is_for_tests(root, room, name):
    """Do the comments above a declaration in a header of the room say that it is for tests?"""
    for header in (root / room).glob("*.h"):
        for paragraph in header.read_text().split("\n\n"):
            declared = re.search(rf"\b{name}\b[^\n]*[(;]", paragraph)
            if declared and re.search(r"\btests\b", paragraph[:declared.start()], re.I):
                return True
    return False


def hold_exports(root, objects, build, findings):
    exported, users = find_exports(objects, build)
    of_tests = str(build / "tests") + "/"
    for name, source in sorted(exported.items()):
        room = room_of(source)
        if name.startswith(("_", "stbds_")) or name == "main" or name in ASSEMBLY:
            continue
        if not users[name]:
            if name not in names_in_tables(root, room) | EXCEPTIONS["exports"]:
                findings.wrong.append(f"{source}: nothing outside uses {name}: make it static")
        elif all(user.startswith(of_tests) for user in users[name]):
            if not is_for_tests(root, room, name):
                findings.wrong.append(f"{source}: only tests use {name}, and no header says so")


def reachable(calls, start):
    seen, open_ = {start}, [start]
    while open_:
        for callee in calls[open_.pop()]:
            if callee not in seen:
                seen.add(callee)
                open_.append(callee)
    return seen


def turned(calls):
    callers = {source: set() for source in calls}
    for caller, callees in calls.items():
        for callee in callees:
            callers[callee].add(caller)
    return callers


def find_circles(calls):
    """Returns all circles of two files or more, the largest first."""
    callers, circles, done = turned(calls), [], set()
    for source in calls:
        if source not in done:
            circle = reachable(calls, source) & reachable(callers, source)
            done |= circle
            if len(circle) > 1:
                circles.append(sorted(circle))
    return sorted(circles, key=lambda circle: (-len(circle), circle))


def find_between(calls, defined):
    top, bottom, asked = BETWEEN
    if top not in defined or bottom not in defined:
        return []
    top, bottom = defined[top][0], defined[bottom][0]
    between = reachable(calls, top) & reachable(turned(calls), bottom)
    return sorted(source for source in between if source.split("/")[0] != asked or source == bottom)


class Findings:
    def __init__(self):
        self.wrong, self.smaller = [], []

    def hold(self, what, found, allowed):
        if found > allowed:
            self.wrong.append(f"{what}: {found}, and {allowed} may be")
        elif found < allowed:
            self.smaller.append(f"{what}: {found}, and EXCEPTIONS still says {allowed}")


def hold_order(calls, rooms, findings):
    """Holds the calls against the order of rooms; returns them, a line for each."""
    place = {room: number for number, room in enumerate(rooms)}
    lines, against = [], collections.defaultdict(int)
    for caller in sorted(calls):
        for callee, names in sorted(calls[caller].items()):
            if place[room_of(callee)] > place[room_of(caller)]:
                against[caller] += len(names)
                lines.append(f"{caller} -> {callee}: {' '.join(names)}")
    for caller in sorted(against.keys() | EXCEPTIONS["order"].keys()):
        findings.hold(f"calls of {caller} against the order of rooms", against[caller],
                      EXCEPTIONS["order"].get(caller, 0))
    return lines


def hold_circles(circles, findings):
    largest = collections.defaultdict(int)
    for circle in circles:
        within = sorted({room_of(source) for source in circle})
        if len(within) > 1 or within[0] not in WALKS:
            name = " ".join(within)
            largest[name] = max(largest[name], len(circle))
    for name in sorted(largest.keys() | EXCEPTIONS["circles"].keys()):
        allowed = EXCEPTIONS["circles"].get(name, MOST_IN_A_CIRCLE)
        if largest[name] > MOST_IN_A_CIRCLE or name in EXCEPTIONS["circles"]:
            findings.hold(f"files in a circle of {name}", largest[name], allowed)


def hold_rooms(sizes, findings):
    for room in sorted(sizes.keys() | EXCEPTIONS["rooms"].keys()):
        if sizes[room] > MOST_IN_A_ROOM or room in EXCEPTIONS["rooms"]:
            findings.hold(f"files of {room}", sizes[room],
                          EXCEPTIONS["rooms"].get(room, MOST_IN_A_ROOM))


def apart(room):
    """Rooms of one program, as far as names go: what is loaded into another program, and all else."""
    return room.startswith(("capture/stand_in", "capture/preload", "capture/recorder"))


def hold_prefixes(functions, findings):
    for word, rooms in sorted(functions.items()):
        rooms = sorted(room for room in rooms if not apart(room))
        library = LIBRARIES.get(word)
        if library and all(room.startswith(library) for room in rooms):
            continue
        if len(rooms) > 1 and word not in ENTRIES:
            findings.wrong.append(f"functions {word}_... are of {len(rooms)} rooms: {' '.join(rooms)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", nargs="?")
    parser.add_argument("--report", action="store_true", help="print all that is found")
    parser.add_argument("--root", type=pathlib.Path, help="the sources, if not those beside ci/")
    words = parser.parse_args()
    root = words.root or pathlib.Path(__file__).resolve().parent.parent
    build = pathlib.Path(words.build).resolve() if words.build else root / "build/ci"

    rooms = read_rooms(root)
    objects, missing = find_objects(root, build, rooms)
    if missing or not objects:
        print(f"{build}: not built: {' '.join(missing) or 'any room'}")
        return 2
    calls, defined, functions = build_graph(objects)
    circles = find_circles(calls)
    sizes = collections.Counter(room_of(source) for source in objects)
    findings = Findings()
    against = hold_order(calls, rooms, findings)
    hold_circles(circles, findings)
    hold_rooms(sizes, findings)
    hold_prefixes(functions, findings)
    hold_exports(root, objects, build, findings)

    large = [c for c in circles if len(c) > MOST_IN_A_CIRCLE]
    if words.report:
        print("calls against the order of rooms:", *against, sep="\n  ")
        for circle in circles:
            print(f"circle of {len(circle)}:", *circle, sep="\n  ")
        print("rooms by files:", *(f"{n} {room}" for room, n in sizes.most_common()), sep="\n  ")
    for line in findings.wrong:
        print(f"wrong: {line}")
    for line in findings.smaller:
        print(f"smaller by now: {line}")
    print(f"{len(objects)} files, {sum(len(callees) for callees in calls.values())} calls between "
          f"them; against the order of rooms {len(against)}; circles of more than "
          f"{MOST_IN_A_CIRCLE} files {len(large)} ({' '.join(str(len(c)) for c in large)}); rooms of "
          f"more than {MOST_IN_A_ROOM} files {sum(n > MOST_IN_A_ROOM for n in sizes.values())}; "
          f"files between an access and its verdict {len(find_between(calls, defined))}")
    return 1 if findings.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

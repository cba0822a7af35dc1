"""Which functions of some files nothing has executed.

    llvm-cov-19 export PROGRAM -instr-profile=DATA | never_reached.py FILE|FOLDER...

A line for each file that has any. Functions of headers count nowhere.
"""

import collections
import json
import sys


def main():
    wanted = tuple("/" + name for name in sys.argv[1:])
    never = collections.defaultdict(set)
    reached = set()
    for function in json.load(sys.stdin)["data"][0]["functions"]:
        file = "/" + function["filenames"][0]
        place = next((file[file.index(name) + 1 :] for name in wanted if name in file), None)
        if not place or not place.endswith((".c", ".cpp")):
            continue
        name = function["name"].rpartition(":")[2]
        if function["count"]:
            reached.add((place, name))
        else:
            never[place].add(name)
    for place, names in sorted(never.items()):
        names = sorted(name for name in names if (place, name) not in reached)
        if names:
            print(f"    {place}: {', '.join(names)}")


if __name__ == "__main__":
    main()

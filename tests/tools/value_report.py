"""Writes docs/gpu-values.md from what `ci/gpu.sh values` measured.

    value_report.py FOLDER     (values.tsv, values.items.tsv and versions.txt lie in FOLDER)

What is known of single results stands in tests/tools/value_notes.tsv: a pattern over KERNEL/ITEM, the
largest distance that is documented (in units in the last place; - for none), words.
"""

import collections
import fnmatch
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "gpu-values.md"
NOTES = ROOT / "tests" / "tools" / "value_notes.tsv"
NAN = 2 ** 64 - 1
BEYOND = []  # what no note explains
GROUPS = (("integer", "integer arithmetic, comparisons, shifts, select"), ("convert", "conversions, bitcast"),
          ("float", "float arithmetic in four roundings, minimum, maximum, comparisons, ceil, floor"),
          ("function", "functions"), ("fold", "reduce and scan"), ("mma", "matrix products"),
          ("move", "cat, extract, insert, permute, broadcast, iota, pack, unpack"),
          ("chains", "random straight lines of 14 ops"))


def table(header, lines):
    yield "| " + " | ".join(header) + " |"
    yield "| " + " | ".join("---" for _ in header) + " |"
    for line in lines:
        yield "| " + " | ".join(str(cell) for cell in line) + " |"


def rows(folder):
    for line in (folder / "values.tsv").read_text().splitlines():
        kernel, item, *rest = line.split("\t")
        if item == "failed":
            sys.exit(f"{kernel} failed: {rest[0]}")
        kind, compared, unequal, ulp, differing, error, *worst = rest
        yield {"kernel": kernel, "item": item, "type": kind, "compared": int(compared),
               "unequal": int(unequal), "ulp": int(ulp), "differing": int(differing), "error": float(error),
               "worst": worst}


def note_of(row, notes):
    name = f"{row['kernel']}/{row['item']}"
    return next(((most, words) for pattern, most, words in notes if fnmatch.fnmatch(name, pattern)), ("", ""))


def group_line(words, kind, most, group):
    """One line for results of one type that differ for one reason: the worst of each figure."""
    names = " ".join(f"`{name}`" for name in dict.fromkeys(row["item"] for row in group))
    ulp = max(row["ulp"] for row in group)
    return (names, kind, "NaN for a number" if ulp == NAN else ulp, most,
            f"{max(row['error'] for row in group):.3g}", words)


def page(folder):
    results = list(rows(folder))
    notes = [line.split("\t") for line in NOTES.read_text().splitlines() if line and line[0] != "#"]
    items = [line.split("\t") for line in (folder / "values.items.tsv").read_text().splitlines()]
    versions = "; ".join((folder / "versions.txt").read_text().splitlines())
    newer = [item for item in items if item[2] != "sm_90"]
    refused = [item for item in items if item[3] != "accepted"]
    equal = sum(row["unequal"] == 0 for row in results)
    yield "# The interpreter against a GPU, op by op"
    yield ""
    yield (f"Does the reference interpreter compute what a GPU computes? `tests/values` writes kernels with every op "
           f"that computes, in every type that it has. Their inputs are the edges of the types (zeros of both signs, "
           f"subnormals, the neighbours of one, the largest numbers, infinities, NaNs), and all bit patterns of types "
           f"of at most 16 bits. Of {len(results)} results, compared element by element, {equal} are equal to the "
           f"bit. {versions}.")
    yield ""
    yield (f"tileiras accepts all {len(items) - len(refused)} results that are generated"
           + (f", and refuses {len(refused)}" if refused else "")
           + f"; {len(newer)} of them need a newer GPU than `sm_90` (f8E8M0FNU, f4E2M1FN, scaled products) and are "
           f"assembled for `sm_100` alone. Where the interpreter knows no result (division by zero, conversions "
           f"out of range that do not saturate), nothing is compared. A NaN equals every NaN.")
    yield ""
    yield ("Made by `ci/gpu.sh values FOLDER`, `run-values` and `report-values`, which fails where a result is further "
           "off than is documented here. *ulp* is the largest distance of all results of the line, in units in the last "
           "place. A product or sum in another order may cancel; there the largest absolute difference says more.")
    yield ""
    yield "## In short"
    yield ""
    lines = []
    for prefix, words in GROUPS:
        group = [row for row in results if row["kernel"].split("_")[0] == prefix]
        lines.append((words, len(group), sum(row["unequal"] == 0 for row in group),
                      f"{sum(row['compared'] for row in group):,}"))
    yield from table(("what", "results", "equal to the bit", "elements compared"), lines)
    yield ""
    yield "## What is not equal to the bit"
    yield ""
    groups = collections.OrderedDict()
    for row in results:
        if not row["unequal"]:
            continue
        most, words = note_of(row, notes)
        if not words or (most != "-" and row["ulp"] > int(most)):
            BEYOND.append(f"{row['kernel']}/{row['item']}: {row['unequal']} of {row['compared']}, {row['ulp']} ulp, "
                          f"{' '.join(row['worst'])}")
        groups.setdefault((words, row["type"], most), []).append(row)
    yield from table(("results", "type", "ulp seen", "ulp documented", "largest difference", "why"),
                     [group_line(*key, group) for key, group in sorted(groups.items())])
    unstable = [f"{r['kernel']}/{r['item']}" for r in results if r["differing"]]
    yield ""
    yield ("Two runs of each agree." if not unstable else f"Two runs differ in {', '.join(unstable)}.")


def main():
    PAGE.write_text("\n".join(page(pathlib.Path(sys.argv[1]))) + "\n")
    print(f"{PAGE.relative_to(ROOT)} is written")
    print("".join(f"not as documented: {line}\n" for line in BEYOND), end="")
    sys.exit(bool(BEYOND))


if __name__ == "__main__":
    main()

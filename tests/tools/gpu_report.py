"""Writes docs/gpu-results.md from what ci/gpu.sh measured.

    gpu_report.py FOLDER     (results.tsv, sanitizer.tsv and the bundles' plans lie in FOLDER)

What people found out by hand about single kernels stands in tests/tools/gpu_notes.tsv: file, words.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "gpu-results.md"
NOTES = ROOT / "tests" / "tools" / "gpu_notes.tsv"
FIELDS = ("kernel", "status", "runs", "elements", "differing", "wrong", "compared", "error", "ms",
          "gpu", "why")


def rows(path, fields):
    for line in path.read_text().splitlines() if path.exists() else ():
        name, *values = line.split("\t")
        yield name, dict(zip(fields, values + [""] * len(fields)))


def source_of(name):
    """The kernel's source, or the edit of a kernel that it is made by (fixtures/apply_edits.py)."""
    path = name.replace("__", "/")
    return next(path + end for end in (".c", ".edit", ".cu", ".py", ".rs") if (ROOT / (path + end)).exists())


def expectations(source):
    text = (ROOT / source).read_text()
    rules = re.findall(r"EXPECT (TR\d+)", text)
    observable = re.search(r"EXPECT observable (yes|no)", text)
    verdict = re.search(r"EXPECT verdict (\S+)", text)
    return sorted(set(rules)), observable and observable[1], verdict and verdict[1]


def why(row, rules, observable, verdict):
    """What kind of race does not show, as far as the kind tells."""
    if row["status"] != "same":
        return ""
    if verdict != "race":
        return "not a race"
    if observable == "no":
        return "all blocks that write an element write the same value"
    if set(rules) <= {"TR003", "TR004", "TR007", "TR008", "TR013"}:
        return "race inside one block: the assembler kept program order"
    if set(rules) & {f"TR{i:03}" for i in range(14, 23)} | {"TR005", "TR006"} & set(rules):
        return "the window is narrow: the flag is seen late enough, or the machine code is stronger than the kernel"
    return "not in these runs"


def share(row):
    elements, differing = int(row["elements"] or 0), int(row["differing"] or 0)
    if not elements or not differing:
        return "-"
    percent = 100 * differing / elements
    return f"{percent:.1f} %" if percent >= 0.05 else counted(differing)


def counted(number):
    return f"{number} element" if int(number) == 1 else f"{number} elements"


def seen(row):
    return {"same": "no difference", "differs": "differs", "rounding": "rounding only",
            "sums-differ": "atomic float sums only", "hang": "hangs"}.get(row["status"], "failed: " + row["why"])


def table(header, lines):
    yield "| " + " | ".join(header) + " |"
    yield "| " + " | ".join("---" for _ in header) + " |"
    for line in lines:
        yield "| " + " | ".join(str(cell) for cell in line) + " |"


BETWEEN_BLOCKS = {"TR001", "TR002", "TR005", "TR006"} | {f"TR{i:03}" for i in range(14, 23)}
LANGUAGES = {(".c", ".edit"): "the dialect", ".cu": "CUDA Tile C++", ".py": "cuTile Python", ".rs": "cuTile Rust"}


def count(group, *statuses):
    return sum(row["status"] in statuses for row in group.values())


def tally(words, group):
    return (words, len(group), count(group, "differs"), count(group, "rounding", "sums-differ"),
            count(group, "hang"), count(group, "same"))


def tallies(kernels, racy):
    between = {n: r for n, r in racy.items() if set(expectations(source_of(n))[0]) & BETWEEN_BLOCKS}
    yield tally("race-free kernels", kernels)
    yield tally("racy twins, all", racy)
    yield tally("racy twins with a race between tile blocks", between)
    for ends, language in LANGUAGES.items():
        own = {n: r for n, r in between.items() if source_of(n).endswith(ends)}
        if own:
            yield tally(f"of these in {language}", own)


def sanitizer_words(sanitizer):
    clean = sum(r["racecheck"] == "0" for r in sanitizer.values())
    memory = sum(r["memcheck"] not in ("0", "") for r in sanitizer.values())
    silent = sum("" in (r["racecheck"], r["memcheck"]) for r in sanitizer.values())
    other = [f"`{source_of(n)}`" for n, r in sanitizer.items() if r["racecheck"] not in ("0", "")]
    return (f"`compute-sanitizer` was run on the same machine code of {len(sanitizer)} fixtures. Racecheck "
            f"reports nothing on {clean} of them, and memcheck reports errors on {memory}."
            + (f" On {silent} one of the tools did not end." if silent else "")
            + (f" Racecheck, which checks shared memory, has reports on {', '.join(other)}." if other else ""))


def kernel_lines(kernels, notes):
    for name, row in sorted(kernels.items()):
        source = source_of(name)
        yield (f"`{source}`", seen(row), share(row), agreement(row), row["ms"], notes.get(source, ""))


def fixture_lines(fixtures, sanitizer, notes):
    for name, row in sorted(fixtures.items()):
        source = source_of(name)
        rules, observable, verdict = expectations(source)
        line = [f"`{source}`", " ".join(rules), seen(row), share(row), observable or "-"]
        if sanitizer:
            tools = sanitizer.get(name, {})
            line += [tools.get("racecheck") or "-", tools.get("memcheck") or "-"]
        yield line + [notes.get(source) or why(row, rules, observable, verdict)]


def not_run(folder):
    """What `bundles` could not make: FILE: words."""
    path = folder / "failed.txt"
    for line in path.read_text().splitlines() if path.exists() else ():
        source, _, words = line.partition(": ")
        yield f"`{source}`", words.removeprefix("tilerace: error: ").removeprefix(f"{source}: ")


def read_results(folder):
    """Kernels, each with what its small launch said of the interpreter, and fixtures."""
    results = dict(rows(folder / "results.tsv", FIELDS))
    kernels = {n: r for n, r in results.items() if n.startswith("kernels__")}
    for name, row in results.items():
        kernel = kernels.get(name.removeprefix("small__"))
        if name.startswith("small__") and kernel:
            kernel.update({k: row[k] for k in ("wrong", "compared", "error")})
    return kernels, {n: r for n, r in results.items() if n.startswith("fixtures__")}


def page(folder):
    kernels, fixtures = read_results(folder)
    sanitizer = dict(rows(folder / "sanitizer.tsv", ("racecheck", "memcheck")))
    notes = {name: row["words"] for name, row in rows(NOTES, ("words",))}
    first = next(iter(kernels.values()))
    versions = ("; ".join((folder / "versions.txt").read_text().splitlines()) + "."
                if (folder / "versions.txt").exists() else "")
    racy = {n: r for n, r in fixtures.items() if expectations(source_of(n))[2] == "race"}
    yield "# What a GPU showed"
    yield ""
    yield (f"Every kernel of `kernels/` and every racy twin of `fixtures/races/`, in the dialect and as "
           f"modules of CUDA Tile C++, cuTile Python and cuTile Rust, was run {first['runs']} times from the "
           f"same inputs on an {first['gpu']}. {versions}".strip())
    yield ""
    yield ("`ci/gpu.sh` makes these runs. The launches are the largest that meet the contract within 16,384 "
           "tile blocks and 8 million elements. The first run is undisturbed. Later runs are disturbed: the "
           "cache is flushed, memory traffic or the same kernel runs at the same time, there are pauses, and "
           "every second run has its block ids reversed, unless blocks wait for one another. The outputs are "
           "compared bit for bit with those of the first run. *Rounding only* means that floats differ by "
           "little, and that all runs agree if the inputs are small integers, whose sums are exact.")
    yield ""
    yield "## In short"
    yield ""
    yield from table(("", "files", "differ", "rounding or sums only", "hang", "no difference"),
                     tallies(kernels, racy))
    yield ""
    if sanitizer:
        yield sanitizer_words(sanitizer)
        yield ""
    yield "A race that this GPU does not show is still a race: another GPU, driver or assembler may show it."
    yield ""
    yield from (ROOT / "tests" / "tools" / "gpu_found.md").read_text().splitlines()
    yield ""
    yield "## Race-free kernels"
    yield ""
    yield from table(("kernel", "seen", "share", "compared with the interpreter", "launch, ms", "why"),
                     kernel_lines(kernels, notes))
    yield ""
    yield "## Racy twins"
    yield ""
    header = ["fixture", "rules", "seen", "share of elements", "marked as observable"]
    yield from table(header + (["racecheck", "memcheck"] if sanitizer else []) + ["why"],
                     fixture_lines(fixtures, sanitizer, notes))
    left_out = list(not_run(folder))
    if left_out:
        yield ""
        yield "## Not run"
        yield ""
        yield from table(("file", "why"), left_out)


def agreement(row):
    if not int(row["compared"] or 0):
        return "-"
    wrong = int(row["wrong"] or 0)
    agree = "agrees" if int(row["compared"]) == 1 else "agree"
    return (f"{counted(row['compared'])} {agree}, largest error {row['error']}" if wrong == 0
            else f"{wrong} of {row['compared']} differ, by up to {row['error']}")


def main():
    PAGE.write_text("\n".join(page(pathlib.Path(sys.argv[1]))) + "\n")
    print(f"{PAGE.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()

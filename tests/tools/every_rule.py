"""A SARIF report that holds a result of every rule, from the Bad examples of docs/rules, and a
conditional verdict.

    every_rule.py TILERACE SCHEMA [REPORT.sarif]

Every rule that the report lists has a result, a page that the list of rules and the site name, and a
source that expects it, every race its two tile blocks, every conditional verdict its example. A page
names no earlier version than the pages before it. The report is kept where a name for it is given, for a validator.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from rule_pages import FOLDER, MARKER, ROOT, SUFFIX, examples
from schemas import errors_of, load

CONDITIONAL = """#include <tile.h>

tile_kernel void scatter(const int *restrict index, float *restrict dst, int n)
{
    tile_grid(n);
    tile_assume(0 < n && n <= 1 << 16);
    dst[index[tile_bid(0)]] = 1.0f;
}
"""
SOURCES = ("build/fixtures/races", "fixtures/races", "tests/undefined")
# TR011 and TR012 are about a contract: tests of the command line have them.
WITHOUT_SOURCE = {"TR011", "TR012"}
HOME = "https://github.com/tilerace/tilerace"


def write_example(folder, page, language, source):
    """The file to check: the C source, or the module that was compiled from the source."""
    if language == "c":
        path = folder / f"{page.stem}.c"
        path.write_text(source)
        return path.name
    for path in sorted((ROOT / FOLDER["Bad"] / language).glob("*" + SUFFIX[language])):
        if source in MARKER.sub("", path.read_text()):
            for beside in path.parent.glob(path.stem + ".*"):
                shutil.copy(beside, folder)
            return path.stem + ".tilebc"
    raise SystemExit(f"{page}: the example stands in no source")


def report(program, folder):
    files = ["missing.c", "conditional.c"]
    (folder / "conditional.c").write_text(CONDITIONAL)
    for page in sorted((ROOT / "docs/rules").glob("TR*.md")):
        _, language, source = next(examples(page.read_text()))
        files.append(write_example(folder, page, language, source))
    command = [program, "check", "--notes", "--format", "sarif", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done.stdout


def wrong_of_rule(rule):
    match = re.fullmatch(HOME + r"/blob/main/(docs/rules/TR\d{3}\.md)", rule["helpUri"])
    if not match:
        return f"helpUri is {rule['helpUri']}"
    page = ROOT / match[1]
    if not page.exists():
        return f"there is no {match[1]}"
    if page.read_text().splitlines()[0] != f"# {rule['id']}: {rule['name']}":
        return f"{match[1]} is the page of something else"
    if f"({rule['id']}.md)" not in (ROOT / "docs/rules/index.md").read_text():
        return "docs/rules/index.md has no row for it: build/docs/bin/python3 ci/docs_pages.py --update writes one"
    if f"rules/{rule['id']}.md\n" not in (ROOT / "mkdocs.yml").read_text():
        return f"mkdocs.yml does not list rules/{rule['id']}.md"
    return None


def wrong_versions(rules):
    """Pages that name an earlier version than the page of a rule before, as one does that is copied."""
    latest = (0, 0)
    for code in sorted(rule["id"] for rule in rules):
        page = ROOT / f"docs/rules/{code}.md"
        said = re.search(r"^Since version (\d+)\.(\d+)\.$", page.read_text(), re.MULTILINE) if page.exists() else None
        version = tuple(map(int, said.groups())) if said else (0, 0)
        if page.exists() and code < "TR900" and version < latest:
            yield f"docs/rules/{code}.md: its last line does not say 'Since version N.', with the version that comes next"
        latest = max(latest, version)


def wrong_files():
    """Rows of rules.def whose file does not give a finding that rule."""
    rows = re.findall(r"^RULE\((\w+),[^()]*?RACE,\s+(\w+),", (ROOT / "analyzer/verdict/rules.def").read_text(), re.MULTILINE)
    for rule, name in rows:
        path = ROOT / "analyzer/rules" / f"{name}.c"
        if not path.exists() or not re.search(rf"\bRULE_{rule}\b", path.read_text()):
            yield f"rules.def: {name}.c of analyzer/rules gives no finding RULE_{rule}"
    if len(rows) != len(re.findall(r"^RULE\(", (ROOT / "analyzer/verdict/rules.def").read_text(), re.MULTILINE)):
        yield "rules.def: a row has no file"


def expected_rules():
    """The rules that some source expects, and the notes that tests/cli/test_notes.py does."""
    found = set(re.findall(r'\["(TR\d{3})"', (ROOT / "tests/cli/test_notes.py").read_text()))
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".c", ".cu", ".py", ".rs"):
                found.update(re.findall(r"^(?://|#) EXPECT (TR\d{3})\b", path.read_text(), re.MULTILINE))
    return found


def refused_examples(results):
    """The rules whose Bad example is no kernel that can be checked, each with the error."""
    return {
        pathlib.PurePath(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]).stem: result["message"]["text"]
        for result in results
        if result["ruleId"] >= "TR900" and result["locations"]
    }


def wrong_of_result(result):
    is_race = result["ruleId"] in ("TR001", "TR002", "TR003", "TR013", "TR024")
    flows = result.get("codeFlows", [{"threadFlows": []}])[0]["threadFlows"]
    if is_race and result["properties"]["confidence"] == "confirmed" and len(flows) != 2:
        return f"{len(flows)} thread flows"
    return None


def main():
    program, schema = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        text = report(program, pathlib.Path(folder))
    sarif = json.loads(text)
    (run,) = sarif["runs"]
    rules = run["tool"]["driver"]["rules"]
    wrong = [*errors_of(load(schema), sarif), *wrong_files(), *wrong_versions(rules)]
    expected = expected_rules() | WITHOUT_SOURCE
    have = {result["ruleId"] for result in run["results"]}
    refused = refused_examples(run["results"])
    for rule in rules:
        why = wrong_of_rule(rule)
        wrong += [f"{rule['id']}: {why}"] if why else []
        if rule["id"] not in have:
            why = refused.get(rule["id"], "it gives no result: is the rule's function called?")
            wrong.append(f"{rule['id']}: the Bad example of its page: {why}")
        if rule["id"] < "TR900" and rule["id"] not in expected:
            note = rule["defaultConfiguration"]["level"] == "note"
            where = f'case of tests/cli/test_notes.py expects ["{rule["id"]}"]' if note else f"source of {' or '.join(SOURCES)} expects it"
            wrong.append(f"{rule['id']}: no {where}")
    for result in run["results"]:
        why = wrong_of_result(result)
        wrong += [f"{result['ruleId']}: {why}: {result['message']['text']}"] if why else []
    conditional = [
        result
        for result in run["results"]
        if result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "conditional.c"
    ]
    if [(result["level"], "codeFlows" in result) for result in conditional] != [("warning", True)]:
        wrong.append("conditional.c: no example")
    for line in wrong:
        print(line)
    if len(sys.argv) > 3:
        pathlib.Path(sys.argv[3]).write_text(text, encoding="utf-8")
    print(f"{len(rules)} rules, {len(run['results'])} results, {len(wrong)} errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

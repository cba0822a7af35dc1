"""Checks that the examples of docs/rules are true: Bad gives the page's rule, Good gives nothing
(but notes). A page of level note is about notes alone: its examples are checked with --notes, and
Good gives none of that rule. Pages from TR900 on are about what has no answer: Bad is not decided, or
not checked.

    rule_pages.py TILERACE PAGE

An example in the C dialect is checked as it stands. One in another language stands in a source of
kernels/ or fixtures/races/, word by word, and the module beside that source is checked.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIX = {"cpp": ".cu", "python": ".py", "rust": ".rs"}
FOLDER = {"Bad": "fixtures/races", "Good": "kernels"}
NO_ANSWER = {"TR900": "unknown", "TR901": "not checked"}
MARKER = re.compile(r"[ ]*(?://|#)(?:[ ]*@\w+)+$", re.MULTILINE)


def check_file(program, path, note):
    command = [program, "check", "--format", "json", *(["--notes"] if note else []), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    entry = json.loads(done.stdout)["inputs"][0]
    if entry["status"] != "checked":
        return "not checked: " + entry["error"], []
    kernel = entry["kernels"][0]
    findings = [
        finding["rule"]
        for finding in kernel["findings"]
        if finding["level"] != "note" or finding["rule"] == note
    ]
    findings += [remark["rule"] for remark in entry.get("remarks", [])]
    return kernel["verdict"], findings


def check(program, heading, language, source, note):
    if language == "c":
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "example.c"
            path.write_text(source)
            return check_file(program, path, note)
    for path in sorted((ROOT / FOLDER[heading] / language).glob("*" + SUFFIX[language])):
        if source in MARKER.sub("", path.read_text()):
            return check_file(program, path.with_suffix(".tilebc"), note)
    return f"the example stands in no source of {FOLDER[heading]}/{language}", []


def examples(page):
    """Heading, language and source of each example of a page."""
    for heading in ("Bad", "Good"):
        found = re.search(rf"## {heading}\n\n```(c|cpp|python|rust)\n(.*?)```", page, re.DOTALL)
        yield (heading, *found.groups()) if found else (heading, None, None)


def main():
    program, page = sys.argv[1], pathlib.Path(sys.argv[2])
    text = page.read_text()
    note = page.stem if "\nLevel: note\n" in text else None
    wrong = []
    for heading, language, source in examples(text):
        if not language:
            wrong.append(f"no example below ## {heading}")
            continue
        verdict, rules = check(program, heading, language, source, note)
        if heading == "Bad" and page.stem in NO_ANSWER:
            if not verdict.startswith(NO_ANSWER[page.stem]):
                wrong.append(f"Bad: {verdict}, expected {NO_ANSWER[page.stem]}")
        elif heading == "Bad" and rules != [page.stem]:
            wrong.append(f"Bad: {verdict} {rules}, expected {page.stem}")
        if heading == "Good" and (verdict, rules) != ("race-free", []):
            wrong.append(f"Good: {verdict} {rules}, expected race-free and no finding")
    for line in wrong:
        print(f"{page}: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

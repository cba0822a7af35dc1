"""Checks that the examples of docs/rules are true: Bad gives the page's rule, Good gives nothing
(but notes).

    rule_pages.py TILERACE PAGE
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile


def check(program, source):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "example.c"
        path.write_text(source)
        command = [program, "check", "--format", "json", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    entry = json.loads(done.stdout)["inputs"][0]
    if entry["status"] != "checked":
        return "not checked: " + entry["error"], []
    kernel = entry["kernels"][0]
    findings = [finding for finding in kernel["findings"] if finding["level"] != "note"]
    return kernel["verdict"], [finding["rule"] for finding in findings]


def main():
    program, page = sys.argv[1], pathlib.Path(sys.argv[2])
    text = page.read_text()
    wrong = []
    for heading in ("Bad", "Good"):
        match = re.search(rf"## {heading}\n\n```c\n(.*?)```", text, re.DOTALL)
        if not match:
            wrong.append(f"no example below ## {heading}")
            continue
        verdict, rules = check(program, match[1])
        if heading == "Bad" and rules != [page.stem]:
            wrong.append(f"Bad: {verdict} {rules}, expected {page.stem}")
        if heading == "Good" and (verdict, rules) != ("race-free", []):
            wrong.append(f"Good: {verdict} {rules}, expected race-free and no finding")
    for line in wrong:
        print(f"{page}: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

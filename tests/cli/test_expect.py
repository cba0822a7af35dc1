"""The runner of expectations must notice what it is there to notice."""

import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNNER = ROOT / "tests/tools/expect.py"
LISTS = ("tests/expect_open.txt", "models/tileir_memory/litmus/OPEN")

REPORT = """{"inputs": [{"status": "checked", "error": null, "kernels": [{
 "kernel": "k", "verdict": "race", "requires": [], "findings": [
  {"rule": "TR001", "level": "error", "confidence": "confirmed", "message": "m", "witness": {},
   "locations": [{"role": "first access", "line": 1}, {"role": "second access", "line": 2}]}]}]}]}"""

GOOD = """a; // @first
b; // @second @other
// EXPECT verdict race
// EXPECT TR001 @first @second
// EXPECT observable yes
"""

# What is put in place of what, so that the file expects something else than the report says.
SLIPS = [
    ("// EXPECT verdict race\n", "// EXPECT verdict race-free\n"),
    ("// EXPECT verdict race\n", ""),
    ("// EXPECT verdict race\n", "// EXPECT verdict racy\n"),
    ("@first @second\n", "@second @first\n"),
    ("@first @second\n", "@first @3\n"),
    ("@first @second\n", "@first\n"),
    ("@first @second\n", "@first @missing\n"),
    ("@first @second\n", "@first @none\n"),
    ("@first @second\n", "@first @second possible\n"),
    ("TR001 @", "TR002 @"),
    ("// EXPECT TR001", "// EXPECT TR001 @first @second\n// EXPECT TR001"),
    ("// EXPECT TR001", "// EXPECT TR007 @first\n// EXPECT TR001"),
    ("// EXPECT TR001 @first @second\n", ""),
    ("// EXPECT observable yes\n", ""),
    ("// EXPECT observable", "// EXPECT requires no-wrap\n// EXPECT observable"),
    ("// EXPECT observable", "// EXPECT obserable"),
    ("// EXPECT verdict", "// EXPECT kernel other\n// EXPECT verdict"),
    ("// EXPECT TR001", "/* EXPECT TR001 */ //"),
]


def run(folder, text, report=REPORT, code=1):
    fixtures = folder / "fixtures"
    fixtures.mkdir(exist_ok=True)
    file = fixtures / "k.c"
    file.write_text(text)
    (folder / "report.json").write_text(report)
    program = folder / "tilerace"
    program.write_text(f"#!/bin/sh\ncat {folder}/report.json\nexit {code}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    command = [sys.executable, str(RUNNER), str(program), str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_open(folder, text, listing):
    """Beside a list of open files of its own."""
    runner = folder / "tests/tools/expect.py"
    runner.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(RUNNER, runner)
    path = folder / LISTS[0]
    path.write_text(f"# comment\n{listing}\n")
    run(folder, text)
    command = [sys.executable, str(runner), str(folder / "tilerace"), str(folder / "fixtures/k.c")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def open_mistakes(folder):
    slipped = GOOD.replace("TR001 @", "TR002 @")
    for text, listing, code in (
        (GOOD, "fixtures/k.c reason", 1),  # passes: must leave the list
        (slipped, "fixtures/k.c reason", 0),
        (GOOD, "fixtures/other.c reason", 0),
        (slipped, "fixtures/other.c reason", 1),
        (slipped.replace("EXPECT verdict", "EXPECT verdit"), "fixtures/k.c reason", 1),
    ):
        done = run_open(folder, text, listing)
        if done.returncode != code or done.stderr:
            yield f"open list {listing!r}: exit {done.returncode}, not {code}: {done.stderr}"
    for name in LISTS:
        for line in (ROOT / name).read_text().splitlines():
            file, _, reason = line.partition(" ")
            if file != "#" and line and not (reason.strip() and (ROOT / file).is_file()):
                yield f"{name}: '{line}': no such file, or no reason"


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        good = run(folder, GOOD)
        if good.returncode != 0:
            wrong.append(f"a file that is right fails: {good.stdout}{good.stderr}")
        for old, new in SLIPS:
            slipped = GOOD.replace(old, new, 1)
            assert slipped != GOOD, old
            done = run(folder, slipped)
            if done.returncode == 0 or done.stderr:
                wrong.append(f"{old!r} -> {new!r} passes or crashes: {done.stderr}")
        reports = [
            (REPORT, 0),
            ("", 2),
            (REPORT.replace('"checked"', '"error"'), 1),
            (REPORT.replace('"witness": {}', '"witness": null'), 1),
            (REPORT.replace("second access", "access"), 1),
            (REPORT.replace('"requires": []', '"requires": [{"kind": "no-wrap", "class": "launch", "text": "t"}]'), 1),
        ]
        for report, code in reports:
            done = run(folder, GOOD, report, code)
            if done.returncode == 0 or done.stderr:
                wrong.append(f"passes or crashes: exit {code} {report} {done.stderr}")
        wrong += open_mistakes(folder)
    for line in wrong:
        print(line)
    print(f"{1 + len(SLIPS) + len(reports)} cases, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

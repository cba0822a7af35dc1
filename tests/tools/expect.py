"""Checks that `tilerace check` finds exactly what a kernel or fixture says it must.

    expect.py TILERACE FILE

The `// EXPECT` lines are described in tests/README.md. Of a source that another compiler turns
into bytecode the module beside it is checked. Exit code 0: as expected, 1: not. A file on the list
of open ones must fail: one that passes has to leave the list.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPEN = (ROOT / "models/tileir_memory/litmus/OPEN", ROOT / "tests/expect_open.txt")
VERDICTS = ("race-free", "conditional", "race", "unknown")
SELF_OVERLAP = "TR004"  # two elements of one access: one place
CONTRADICTION = "TR011"  # no access, no launch
COMMENT = r"(?://|#)"  # of C and of Python
MARKER = re.compile(COMMENT + r"(?P<names>(?:\s*@[A-Za-z_][A-Za-z0-9_]*)+)\s*$")
COMPILED_ELSEWHERE = {".cu", ".py", ".rs"}
NOWHERE = "@none"  # the module has no debug records: no line


class Mistake(Exception):
    """The file's expectations are not well formed."""


class Section:
    """What one kernel must give."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.verdict = None
        self.findings = []
        self.requires = []
        self.asks = []
        self.reason = None
        self.observable = None


def read_markers(lines):
    markers = {}
    for number, line in enumerate(lines, 1):
        match = MARKER.search(line)
        for name in re.findall(r"@(\w+)", match["names"]) if match else []:
            if name in markers:
                raise Mistake(f"line {number}: marker @{name} is also on line {markers[name]}")
            markers[name] = number
    return markers


def place(word, markers, number):
    if not word.startswith("@"):
        raise Mistake(f"line {number}: '{word}' is no place: write @NAME or @LINE")
    if word == NOWHERE:
        return None
    name = word[1:]
    if name.isdigit():
        return int(name)
    if name not in markers:
        raise Mistake(f"line {number}: no line ends in // @{name}")
    return markers[name]


def one_of(words, allowed, number):
    if len(words) != 1 or words[0] not in allowed:
        raise Mistake(f"line {number}: write one of {', '.join(allowed)}")
    return words[0]


def normal(rule, confidence, lines):
    if rule == SELF_OVERLAP and len(set(lines)) == 1:
        lines = lines[:1]
    return (rule, confidence, lines)


def read_finding(rule, words, markers, number):
    confidence = "confirmed"
    if words and words[-1] == "possible":
        confidence = words.pop()
    if not 1 <= len(words) <= 2:
        raise Mistake(f"line {number}: {rule} needs one or two places")
    return normal(rule, confidence, tuple(place(word, markers, number) for word in words))


def read_expectations(path):
    """The sections of a file and further words for the command line."""
    lines = path.read_text(encoding="utf-8").split("\n")
    markers = read_markers(lines)
    sections, args = [], []
    for number, line in enumerate(lines, 1):
        if "EXPECT" not in line:
            continue
        match = re.match(rf"\s*{COMMENT} EXPECT\s+(\S.*)$", line)
        if not match:
            raise Mistake(f"line {number}: an expectation is a line comment: // EXPECT ...")
        keyword, *words = match[1].split()
        if keyword == "args":
            args += shlex.split(" ".join(words))
            continue
        if keyword == "kernel":
            if len(words) != 1:
                raise Mistake(f"line {number}: one kernel name")
            sections.append(Section(words[0]))
            continue
        if not sections:
            sections.append(Section(None))
        section = sections[-1]
        if keyword == "verdict":
            section.verdict = one_of(words, VERDICTS, number)
        elif keyword == "observable":
            section.observable = one_of(words, ("yes", "no"), number)
        elif keyword == "reason" and len(words) == 1:
            section.reason = words[0]
        elif keyword == "requires" and words:
            section.requires += words
        elif keyword == "asks" and words:
            section.asks.append(" ".join(words))
        elif re.fullmatch(r"TR\d{3}", keyword):
            section.findings.append(read_finding(keyword, words, markers, number))
        else:
            raise Mistake(f"line {number}: '{line.strip()}' is no expectation")
    return sections, args


def complete(sections, is_fixture):
    """Fills in defaults; says what is missing."""
    if not sections and not is_fixture:
        sections.append(Section(None))
    for section in sections:
        if section.verdict is None and is_fixture:
            raise Mistake("a fixture says its verdict: // EXPECT verdict ...")
        section.verdict = section.verdict or "race-free"
        if section.verdict == "race" and section.observable is None:
            raise Mistake("a racy kernel says whether a run can show it: // EXPECT observable ...")
        if section.verdict == "race" and not section.findings:
            raise Mistake("a racy kernel says its findings: // EXPECT TR... @PLACE @PLACE")
    if not sections:
        raise Mistake("no // EXPECT line: this file says nothing of what it expects")


def found_by(kernel):
    """The findings of a kernel's report in the form of the expectations."""
    found = []
    for finding in kernel["findings"]:
        lines = tuple(location["line"] for location in finding["locations"])
        found.append(normal(finding["rule"], finding["confidence"], lines))
    return found


def role_errors(kernel):
    for finding in kernel["findings"]:
        roles = [location["role"] for location in finding["locations"]]
        right = ["access"] if len(roles) == 1 else ["first access", "second access"]
        if finding["rule"] == CONTRADICTION:
            right = ["contract"]
        if roles != right:
            yield f"{finding['rule']}: roles are {roles}, not {right}"
        needs_witness = finding["rule"] != CONTRADICTION and finding["confidence"] == "confirmed"
        if needs_witness and finding["witness"] is None:
            yield f"{finding['rule']}: confirmed, but without a witness"


def show(finding):
    rule, confidence, lines = finding
    places = (NOWHERE if line is None else f"@{line}" for line in lines)
    return f"{rule} {' '.join(places)} {confidence}"


# Assumed of every launch, without being asked for.
DEFAULTS = ("distinct-buffers", "grid-axis")


def require_differences(name, section, kernel):
    """`requires KIND` stands for a precondition of any class, `KIND:CLASS` for one of that class."""
    asked = {(r["kind"], r["class"]) for r in kernel["requires"]}
    asked = {pair for pair in asked if pair[0] not in DEFAULTS or pair[1] != "standing"}
    wanted = {tuple(word.split(":")) for word in section.requires}
    missing = [
        ":".join(word)
        for word in sorted(wanted)
        if not any(word in ((kind,), (kind, which)) for kind, which in asked)
    ]
    more = [
        f"{kind}:{which}"
        for kind, which in sorted(asked)
        if (kind,) not in wanted and (kind, which) not in wanted
    ]
    texts = sorted({r["text"] for r in kernel["requires"] if r["class"] != "standing"})
    if section.asks and texts != sorted(section.asks):
        yield f"{name}: asks for {texts}, expected {sorted(section.asks)}"
    if missing:
        yield f"{name}: the verdict has no precondition {' '.join(missing)}, which EXPECT requires states"
    if more:
        yield f"{name}: no EXPECT requires states {' '.join(more)}, which the verdict has"


def differences(section, kernel):
    name = kernel["kernel"]
    if kernel["verdict"] != section.verdict:
        reason = kernel.get("reason", {})
        yield (
            f"{name}: verdict {kernel['verdict']}, expected {section.verdict}"
            + (f" [{reason['kind']}: {reason['text']}]" if reason else "")
        )
    expected, found = list(section.findings), []
    for finding in found_by(kernel):
        if finding in expected:
            expected.remove(finding)
        else:
            found.append(finding)
    for finding in expected:
        yield f"{name}: not found: {show(finding)}"
    for finding in found:
        message = next(
            f["message"] for f in kernel["findings"] if f["rule"] == finding[0]
        )
        yield f"{name}: not expected: {show(finding)}: {message}"
    for error in role_errors(kernel):
        yield f"{name}: {error}"
    yield from require_differences(name, section, kernel)
    if section.reason and kernel.get("reason", {}).get("kind") != section.reason:
        yield f"{name}: reason {kernel.get('reason')}, expected {section.reason}"


def expected_exit(sections, report):
    levels = [f["level"] for i in report["inputs"] for k in i["kernels"] for f in k["findings"]]
    del sections
    return 1 if "error" in levels else 0


def compare(sections, report, code):
    entry = report["inputs"][0]
    if entry["status"] != "checked":
        yield f"not checked: {entry['error']}"
        return
    kernels = {kernel["kernel"]: kernel for kernel in entry["kernels"]}
    if len(sections) == 1 and sections[0].kernel is None:
        if len(kernels) != 1:
            yield f"{len(kernels)} kernels, but no // EXPECT kernel NAME"
            return
        sections[0].kernel = next(iter(kernels))
    for section in sections:
        kernel = kernels.pop(section.kernel, None)
        if kernel is None:
            yield f"no kernel '{section.kernel}' in the report"
        else:
            yield from differences(section, kernel)
    for name in kernels:
        yield f"kernel '{name}' has no expectation"
    if code != expected_exit(sections, report):
        yield f"exit code {code}, expected {expected_exit(sections, report)}"


def open_reason(path):
    """Why this file does not come out as expected yet, and the list that says so; None where it
    must."""
    for listing in OPEN:
        for line in listing.read_text(encoding="utf-8").splitlines() if listing.exists() else []:
            name, _, reason = line.partition(" ")
            if name and name != "#" and (ROOT / name).resolve() == path.resolve():
                return reason.strip(), listing.name
    return None


def main():
    program, path = sys.argv[1], pathlib.Path(sys.argv[2])
    try:
        sections, args = read_expectations(path)
        complete(sections, "kernels" not in path.resolve().parts)
    except Mistake as mistake:
        print(f"{path}: {mistake}")
        return 1
    before = args[: args.index("--")] if "--" in args else args
    behind = args[args.index("--") :] if "--" in args else []
    checked = path.with_suffix(".tilebc") if path.suffix in COMPILED_ELSEWHERE else path
    command = [program, "check", "--format", "json", *before, str(checked), *behind]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        report = json.loads(run.stdout)
    except ValueError:
        print(f"{path}: exit code {run.returncode}, no report\n{run.stdout}{run.stderr}")
        return 1
    wrong = list(compare(sections, report, run.returncode))
    for line in wrong:
        print(f"{path}: {line}")
    is_open = open_reason(path)
    if is_open is not None:
        reason, listing = is_open
        print(f"{path}: " + (f"open: {reason}" if wrong else f"as expected: take it off {listing}"))
        return 0 if wrong else 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""What a run with one fault may be: the same as without, or a failure that is named."""

import json
import re
import xml.etree.ElementTree

import judge_answers

NO_MEMORY = b"tilerace: no memory is left"
# Kinds of ends. GOOD: the fault is absorbed, or it is told and costs no more than what it concerns.
SAME, FEWER = "the same", "the same, fewer source lines"
UNDECIDED, NAMED, ENDED = "undecided, with the reason", "named", "the command ended, named"
GOOD = (SAME, FEWER, UNDECIDED, NAMED, ENDED)
WRONG, LOST, HANG, SILENT = "wrong verdict", "lost result of another", "hang", "silent success"
UNNAMED, CUT, LEFT, CRASH = "failure without a sentence", "cut report", "left behind", "crash"
QUESTION = ".smt2"  # what --keep-obligations keeps
BAD = (WRONG, LOST, HANG, SILENT, UNNAMED, CUT, LEFT, CRASH)


ANSWERS = ("lines", "judgement", "comparison", "told", "report")


def normal(data):
    """Without what is measured and numbered anew in each run."""
    # In a text that stands in JSON, as answers of `mcp` do, quotes and blanks are escaped.
    data = re.sub(rb'"time_ms(\\?)":(\s|\\t)*[\d.]+', rb'"time_ms\1": 0', data)
    data = re.sub(rb"\b[\d.]+ ?(ms|s|seconds)\b", b"TIME", data)
    data = re.sub(rb"<td>[\d.]+</td></tr>", b"<td>TIME</td></tr>", data)
    data = re.sub(rb'(<testcase[^>]*|<testsuites?[^>]*) time="[\d.]+"', rb"\1", data)
    return re.sub(rb"tilerace-\w{6}\b|\.\d+\.\d+\.part", b"", data)


def canonical(form, data):
    """The same, in an order of its own where the program has none."""
    lines = normal(data).splitlines(keepends=True)
    return b"".join(sorted(lines)) if form == "lines" else normal(data)


def without_source(data):
    """What a compiler says, without the lines that show a source."""
    return [line for line in normal(data).splitlines() if not re.match(rb"\s*\d*\s+\|", line)]


def is_whole(form, data):
    """Is it a report from its first to its last byte?"""
    text = data.decode("utf-8", "strict")
    try:
        if form in ("json", "sarif", "gitlab", "judgement", "comparison", "told"):
            json.loads(text)
        elif form == "lines":
            return text.endswith("\n") and all(isinstance(json.loads(line), dict) for line in text.splitlines())
        elif form == "junit":
            xml.etree.ElementTree.fromstring(text)
        elif form == "html":
            return text.rstrip().endswith("</html>")
        elif form == "text":
            return bool(re.search(r"^\d+ kernels?: .*\n\Z|error: .*\n\Z", text, re.MULTILINE))
        elif form in ("markdown", "report"):
            return text.endswith("\n")
    except ValueError:
        return False
    except xml.etree.ElementTree.ParseError:
        return False
    return True


def verdicts(report):
    return [(i["file"], i["error"], {k["kernel"]: k for k in i["kernels"]}) for i in json.loads(report)["inputs"]]


def reason(kernel):
    return (kernel.get("reason") or {}).get("kind")


def found(kernel):
    return [(f["rule"], f["level"], f["message"]) for f in kernel["findings"]]


def judge_json(base, report):
    """Compares kernel by kernel. The kind of end, and which inputs have no result."""
    before = verdicts(base)
    after = {name: (error, kernels) for name, error, kernels in verdicts(report)}
    gone, undecided = [], False
    for name, error, kernels in before:
        if name not in after or (after[name][0] and not error):
            if name in after and "because its configuration" in after[name][0]:
                continue  # which the fault was in
            gone.append(name)
            continue
        for kernel, was in kernels.items():
            now = after[name][1].get(kernel)
            if not now:
                gone.append(f"{name}: {kernel}")
            elif now["verdict"] == "unknown" and (was["verdict"] != "unknown" or reason(now) != reason(was)):
                undecided = True
                if not reason(now):
                    return UNNAMED, gone
            elif now["verdict"] != was["verdict"] or found(now) != found(was):
                return WRONG, gone
    return (UNDECIDED if undecided else SAME), gone


def lines_of(data):
    return [line for line in data.decode("utf-8", "replace").splitlines() if line.strip()]


def says_more(run, base):
    """Is there a sentence that a run without a fault does not have?"""
    known = set(lines_of(normal(base.err)))
    return any(line not in known for line in lines_of(normal(run.err)))


def judge_report(form, base, report, ended_well):
    """One report, whose bytes differ from those without a fault."""
    if not report:
        return NAMED
    if not is_whole(form, report):
        return CUT
    if form in ANSWERS:
        return judge_answer(form, base, report, not ended_well)
    if form == "json":
        kind, gone = judge_json(base, report)
        return LOST if len({name.split(": ")[0] for name in gone}) > 1 else kind if kind != SAME else NAMED
    return UNDECIDED if ended_well else NAMED


def judge_answer(form, base, report, has_ended):
    """The same of what answers questions: of `judge`, `compare`, `beside`, and of servers.
    `has_ended`: a server may say why it ends before it has answered all."""
    failed = missing = 0
    if form == "lines":
        kind, failed, missing = judge_answers.of_lines(base, report, judge_json)
    elif form == "report":
        kind = judge_answers.of_text(base, report)
    elif form == "told":
        kind = judge_answers.of_told(json.loads(base), json.loads(report))
    else:
        kind = judge_answers.of_result(json.loads(base), json.loads(report), judge_json)
    if kind == judge_answers.OTHER:
        return WRONG
    if failed > 1 or (missing and not has_ended):
        return LOST
    return UNDECIDED if kind == judge_answers.UNDECIDED and not missing else NAMED


def is_told_in_answer(case, base, run):
    """Do the answers say by themselves what failed?"""
    return (case.format in ANSWERS and run.out and canonical(case.format, run.out) != canonical(case.format, base.out) and
            b'"gone"' not in run.out and judge_answer(case.format, base.out, run.out, False) in (NAMED, UNDECIDED))


def without_questions(files):
    return {name: data for name, data in files.items() if not name.endswith(QUESTION)}


def judge(case, base, run, files, base_files):
    """The kind of end of `run`, whose files are `files`: names to bytes."""
    if run.late:
        return HANG
    if run.left:
        return LEFT
    if any(name.endswith(QUESTION) and not data.endswith(b"(check-sat)\n") for name, data in files.items()):
        return CUT
    if normal(run.out) != normal(base.out):  # a kernel that is asked less, or again, has other questions
        files, base_files = without_questions(files), without_questions(base_files)
    same_files = {n: normal(d) for n, d in files.items()} == {n: normal(d) for n, d in base_files.items()}
    same = run.code == base.code and canonical(case.format, run.out) == canonical(case.format, base.out) and same_files
    if same and (not case.said or normal(run.err) == normal(base.err) or run.on_stderr):
        return SAME
    if same and case.said and without_source(run.err) == without_source(base.err):
        return FEWER
    if run.code < 0:
        whole = (not run.out or normal(run.out) == normal(base.out) or case.format == "told" or
                 (case.format == "lines" and is_whole("lines", run.out)))
        named = NO_MEMORY in run.err and run.code == -6
        return CRASH if not named else ENDED if whole else CUT
    if any(name.endswith(".part") for name in files):
        return LEFT
    if any(name not in base_files for name in files):
        return LEFT
    named = says_more(run, base) or run.on_stderr
    kinds = []
    reports = [(case.format, base.out, run.out)]
    reports += [(form, base_files[n], files.get(n, b"")) for n, form in case.files.items()]
    for form, was, now in reports:
        # What was written to a stream before it failed cannot be taken back.
        begun = normal(was).startswith(normal(now[: now.rfind(b"\n") + 1])) and (form == "plain" or (now is run.out and b"cannot be written" in run.err))
        if normal(now) != normal(was) and not begun:
            kinds.append(judge_report(form, was, now, run.code in (0, 3)) if form != "plain" else
                         NAMED if says_more(run, base) or case.tells(now) else CUT)
    for kind in (WRONG, LOST, CUT, UNNAMED):
        if kind in kinds:
            return kind
    if UNDECIDED in kinds:
        return UNDECIDED
    equal = {form: normal(was) == normal(now) for form, was, now in reports if form in ("json", "plain")}
    if equal.get("json") and equal.get("plain", True) and all(now for _, _, now in reports) and run.code == base.code:
        return FEWER  # a source was not to be read when it was to be shown
    told_in_report = any(word in now for form, _, now in reports if form == "json"
                         for word in (b'"status":\t"error"', b'"reason":\t"unreadable"'))
    if not named and not told_in_report and not case.tells(run.out) and not is_told_in_answer(case, base, run):
        return SILENT if run.code == 0 else UNNAMED
    if not run.out and base.out and run.code == 2 and not case.said:
        return ENDED
    return NAMED

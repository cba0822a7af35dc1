"""What answers of `judge`, `compare`, `serve`, `mcp` and `beside` may be after one fault."""

import json
import re

SAME, UNDECIDED, FAILED, OTHER = "same", "undecided", "failed", "other"
WORST_LAST = (SAME, UNDECIDED, FAILED, OTHER)


def worst(kinds):
    return max(kinds, key=WORST_LAST.index, default=SAME)


def of_report(was, now, judge_report):
    kind, gone = judge_report(json.dumps(was).encode(), json.dumps(now).encode())
    return OTHER if kind not in ("the same", "undecided, with the reason") else FAILED if gone else \
        UNDECIDED if kind != "the same" else SAME


def of_stages(was, now):
    """A stage may be undecided, with the reason, and what comes after it; none comes out otherwise."""
    states = {stage["stage"]: stage for stage in now}
    kinds = []
    for stage in was:
        new = states.get(stage["stage"], {"state": "not-reached"})
        if new["state"] == stage["state"]:
            kinds.append(SAME)
        elif new["state"] in ("unknown", "not-reached", "not-asked") or stage["state"] in ("unknown", "not-reached"):
            kinds.append(UNDECIDED if new["state"] != "unknown" or new.get("why") else OTHER)
        else:
            kinds.append(OTHER)
    return worst(kinds)


def of_judgement(was, now):
    before, after = was["tilerace"], now["tilerace"]
    if after["class"] == before["class"]:
        return worst([of_stages(before["stages"], after["stages"]), SAME if was == now else UNDECIDED])
    # A process that died for want of memory is told as the limit, or as not decided, in words.
    why = [stage["why"] for stage in after["stages"] if stage.get("why")] + [fault["what"] for fault in after["faults"]]
    if after["class"] in ("unknown", "limit"):
        return UNDECIDED if why else OTHER
    return OTHER


def of_comparison(was, now):
    if now["result"] == was["result"] and now.get("differences") == was.get("differences"):
        return SAME if now == was else UNDECIDED
    return UNDECIDED if now["result"] == "unknown" and now.get("why") else OTHER


def of_runs(was, now):
    """Of each kernel: the outcome, unless the run says why there is none."""
    for old, new in zip(was["runs"], now["runs"]):
        if old != new and not (new.get("why") or new.get("error") or new.get("reason")):
            return OTHER
    return UNDECIDED if len(was["runs"]) == len(now["runs"]) else OTHER


def of_result(was, now, judge_report):
    if was == now:
        return SAME
    if "inputs" in was and "inputs" in now:
        return of_report(was, now, judge_report)
    if "classification" in was and "classification" in now:
        return of_judgement(was, now)
    if "runs" in was and "runs" in now:
        return of_runs(was, now)
    if "result" in was and "result" in now:
        return of_comparison(was, now)
    return OTHER


def of_answer(was, now, judge_report):
    """Of one request of `serve` or `mcp`."""
    if was == now:
        return SAME
    error = now.get("error")
    if error:
        return FAILED if error.get("message") else OTHER
    result, before = now.get("result"), was.get("result")
    if not isinstance(result, dict) or not isinstance(before, dict):
        return OTHER
    if result.get("isError"):
        return FAILED if result["content"][0]["text"] else OTHER
    if "structuredContent" in result and "structuredContent" in before:
        return of_result(before["structuredContent"], result["structuredContent"], judge_report)
    return of_result(before, result, judge_report)


def answers(lines):
    """By id; the ends of requests alone."""
    messages = [json.loads(line) for line in lines.splitlines()]
    return {json.dumps(m.get("id")) + str("error" in m and m.get("id") is None): m for m in messages
            if "result" in m or "error" in m}  # fmt: skip


def of_lines(base, report, judge_report):
    """The kind of end of all of them together; how many have no result any more; how many no answer."""
    before, after = answers(base), answers(report)
    kinds = {name: of_answer(was, after[name], judge_report) for name, was in before.items() if name in after}
    failed = sum(kind == FAILED for kind in kinds.values())
    return worst(kinds.values()), failed, len(before) - len(kinds)


def of_text(was, now):
    """By the word of its first line that is the class or the result."""
    first, other = ([part for part in text.split(b": ")[:2] if re.fullmatch(rb"[a-z-]+", part)] for text in (was, now))
    first, other = first[0], other[0] if other else b""
    return SAME if was == now else UNDECIDED if other in (first, b"unknown", b"limit") else OTHER


def without_source(found):
    """A finding without the lines that show a source."""
    return [line for line in found.splitlines() if not re.match(r"\s*\d*\s+\|", line)]


def of_told(was, now):
    """What a program hears of its launches: nothing more from some point on, or the same; that a launch
    was not looked at; never that a race is none."""
    kinds = []
    for old, new in zip(was, now):
        if "gone" in new:
            kinds.append(FAILED)
        elif old == new:
            kinds.append(SAME)
        elif "found" in old and without_source(old["found"]) == without_source(new.get("found", "")):
            kinds.append(UNDECIDED)
        elif new.get("found", "").startswith("unchecked") and "found" in old:
            kinds.append(UNDECIDED)
        elif "entries" in old and "entries" in new and not new["entries"]:
            kinds.append(FAILED)
        else:
            kinds.append(OTHER)
    return worst([*kinds, SAME if len(was) == len(now) else FAILED])

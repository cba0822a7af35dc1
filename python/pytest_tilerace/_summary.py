"""The last lines of a session."""
from __future__ import annotations

from typing import Any, Dict, List

from pytest_tilerace._checker import Checker
from pytest_tilerace._tests import Tally


def _plural(n: int, one: str) -> str:
    return "%d %s" % (n, one if n == 1 else one + "es" if one.endswith("ch") else one + "s")


def _counts(mode: str, summary: Dict[str, Any]) -> List[str]:
    kernels, launches = summary["kernels"], summary["launches"]
    if not kernels["seen"] and not kernels["never_seen"] and not summary["modules"]:
        return ["nothing was seen: no tile kernel was compiled or launched"]
    seen = "%s seen, %d launched, %d launched but never seen" % (
        _plural(kernels["seen"], "kernel"), kernels["launched"], kernels["never_seen"])
    if mode == "record":
        return [seen]
    verdicts = "%d proved, %d conditional, %d racy, %d unknown" % tuple(
        kernels[name] for name in ("proved", "conditional", "racy", "unknown"))
    judged = ", ".join(
        "%d %s" % (launches[name], words) for name, words in (
            ("held", "held"), ("allowed", "allowed by comments"), ("raced", "raced"), ("broke", "broke"),
            ("not_checked", "not checked"), ("undecided", "not decided"), ("lost", "lost"))
        if launches[name] or name in ("held", "raced", "broke", "not_checked"))
    lines = ["%s: %s" % (seen, verdicts), "different launches: " + judged]
    if mode == "interpret":
        wrong = launches["executed_wrong"]
        lines.append("launches: %d interpreted, %d not interpreted%s" % (
            launches["executed"], launches["not_executed"],
            ", %d with an error that the run shows" % wrong if wrong else ""))
    return lines


def lines(checker: Checker, tally: Tally) -> List[str]:
    said: List[str] = []
    summary = checker.summary
    if checker.mode != "record":
        said += checker.words
        said += summary["words"].splitlines() if summary else []
    for text in tally.data["outside"]:
        said += text.splitlines()
    said += tally.data["allowed"]
    said += ["warning: %s: no launch has such a finding" % marker
             for marker, is_met in tally.data["markers"].items() if not is_met]
    if summary:
        said += summary["remarks"].splitlines()
        said += _counts(checker.mode, summary)
    if (checker.mode == "record" and summary and summary["kernels"]["seen"]
            and not summary["not_recorded"]):
        said.append("recorded in %s: `tilerace check %s` checks it"
                    % (checker.recording, checker.recording))
    return said


def problems(checker: Checker, tally: Tally) -> List[str]:
    """Why the session fails though all its tests may have passed."""
    summary = checker.summary
    if summary is None:
        return [checker.lost or "the checker has not answered"]
    kernels, launches = summary["kernels"], summary["launches"]
    found = []
    if tally.data["outside"]:
        found.append("launches that no test makes race or break what their proof needs, or were "
                     "not checked")
    if tally.data["made"] and not (kernels["launched"] or kernels["never_seen"]
                                   or launches["lost"]):
        found.append("%s made by tests, and none was seen by the checker"
                     % _plural(tally.data["made"], "launch"))
    if launches["told"] and checker.mode != "record":
        found.append("%s of processes that are not Python, or hide from its hooks, raced or broke"
                     % _plural(launches["told"], "launch"))
    if kernels["racy_not_launched"] and checker.mode != "record":
        found.append("%s that no launch was seen of can race"
                     % _plural(kernels["racy_not_launched"], "kernel"))
    for n, words in ((kernels["never_seen"], "%s launched and never seen" %
                      _plural(kernels["never_seen"], "kernel")),
                     (launches["lost"], "%s not judged" % _plural(launches["lost"], "launch")),
                     (launches["not_executed"], "%s not executed" %
                      _plural(launches["not_executed"], "launch")),
                     (summary["modules_not_checked"], "%s not checked" %
                      _plural(summary["modules_not_checked"], "module")),
                     (summary["not_recorded"], "%d module%s or launch%s not recorded" % (
                         (1, "", "") if summary["not_recorded"] == 1
                         else (summary["not_recorded"], "s", "es"))),
                     (summary["processes_cut"], "processes that stopped speaking to the checker: "
                      "%d" % summary["processes_cut"])):
        if n:
            found.append(words)
    return found

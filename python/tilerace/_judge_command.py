"""python3 -m tilerace judge: the command `judge`, also for candidates of cuTile Python.

What is none of these goes to the program as it is.
"""
from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
from typing import Any, Dict, List, Optional, Tuple

from tilerace import _outside
from tilerace._context import is_python
from tilerace._judge import judge
from tilerace._judgement import Judgement
from tilerace._results import InputError


def _options(words: List[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m tilerace judge",
                                     description="Judges candidates of cuTile Python; others go to the program.")
    parser.add_argument("candidate", nargs="?", default="-", help="a context, or - for standard input")
    parser.add_argument("--context", help="a context; the candidate's source comes on standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--max-feedback", type=int, default=0)
    parser.add_argument("--api-mode", action="store_true")
    parser.add_argument("--profile")
    parser.add_argument("--config")
    parser.add_argument("--then")
    options = parser.parse_args(words)
    if options.then and not options.api_mode:
        parser.error("--then goes with --api-mode")
    return options


def _context(options: argparse.Namespace, given: str) -> Tuple[Dict[str, Any], str]:
    """The context, and the folder that it names files in."""
    path = options.context or options.candidate
    if path == "-":
        text, folder = given, "."
    else:
        folder = os.path.dirname(path) or "."
        text = _outside.read_text(path)
    if not text.lstrip().startswith("{"):
        if options.context:
            raise InputError("%s is no context" % path)
        return {"kernel": {"source": text} if path == "-" else os.path.basename(path)}, folder
    context = _outside.read_json(text.encode(), path)
    if not isinstance(context, dict):
        raise InputError("%s is no context" % path)
    if options.context:
        kernel = context.get("kernel")
        kept = {"name": kernel["name"]} if isinstance(kernel, dict) and "name" in kernel else {}
        context["kernel"] = {**kept, "source": given}
    return context, folder


def _text(judgement: Judgement) -> str:
    names = {fault.file for fault in judgement.faults if fault.file}
    stages = ", ".join("%s %s" % (of.name, of.state) for of in judgement.stages)
    return "%s: %s (score %.3f)\n%sstages: %s\n" % (
        sorted(names)[0] if names else "candidate.py", judgement.class_, judgement.score,
        judgement.feedback and judgement.feedback.rstrip("\n") + "\n", stages)


def _merged(ours: Dict[str, Any], options: argparse.Namespace, given: str) -> Dict[str, Any]:
    """With the answer of the next guard: who filters first decides, and the patterns of both are there."""
    words = shlex.split(options.then)
    for name in ("profile", "config"):
        if getattr(options, name):
            words += ["--" + name, getattr(options, name)]
    run = subprocess.run([*words, "--api-mode"], input=given, capture_output=True, text=True, check=False, timeout=300)
    lines = [line for line in run.stdout.splitlines() if line.strip()]
    theirs = json.loads(lines[-1]) if run.returncode == 0 and lines else None
    if not isinstance(theirs, dict):
        raise InputError("--then: '%s' gives no answer (exit code %d)" % (options.then, run.returncode))
    decides = ours["should_filter"] or (not theirs.get("should_filter") and ours["classification"] != "valid")
    merged = {**theirs, "tilerace": ours["tilerace"],
              "matched_patterns": [*ours["matched_patterns"], *(theirs.get("matched_patterns") or [])]}
    if decides:
        merged.update({key: ours[key] for key in ("classification", "should_filter", "filter_reason")})
    return merged


def _answer(options: argparse.Namespace, given: str) -> Optional[str]:
    """What is to be printed; None: the program judges this."""
    context, folder = _context(options, given)
    python = is_python(context.get("kernel"))
    if not python and not options.context:
        return None
    if python and "arguments" not in context:
        raise InputError("a candidate of cuTile Python needs a context that says what it is launched with: "
                         "`arguments` and `grid` (docs/judge.md)")
    judgement = judge(context, folder=folder, max_feedback=options.max_feedback)
    if not options.api_mode and options.format == "text":
        return _text(judgement)
    answer = dict(judgement.answer)
    if options.then:
        try:
            answer = _merged(answer, options, given)
        except (InputError, ValueError, OSError, subprocess.TimeoutExpired):
            if not answer["should_filter"]:  # else nothing that the other says could change that
                raise
    return json.dumps(answer) + "\n"


def _end_by_signals() -> None:
    """Through all that has to be ended and removed: children, and folders of theirs."""
    def end(number: int, _: Any) -> None:
        raise SystemExit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def run(words: List[str]) -> Tuple[Optional[int], Optional[str]]:
    """The exit code; None: the program shall have these words, and this for its standard input."""
    options = _options(words)
    _end_by_signals()
    reads = options.context is not None or options.candidate == "-"
    try:
        given = _outside.text_of(sys.stdin.buffer, "standard input") if reads else None
        answer = _answer(options, given or "")
    except (InputError, OSError, ValueError, subprocess.TimeoutExpired) as error:
        print("tilerace: %s" % error, file=sys.stderr)
        return 2, None
    if answer is None:
        return None, given
    try:
        sys.stdout.write(answer)
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads it, and Python would say so once more at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2, None
    return 0, None

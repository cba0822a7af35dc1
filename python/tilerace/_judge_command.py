"""python3 -m tilerace judge: the command `judge`, also for candidates of cuTile Python.

Any other candidate goes to the program as it is.
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

from tilerace import _outside, _whole_file
from tilerace._context import is_python
from tilerace._judge import judge_by
from tilerace._judge_reference import is_function
from tilerace._judgement import Judgement
from tilerace._results import InputError


# Options of the program that say how a candidate is judged: (name, what stands for its value; None: nothing).
_HOW: Tuple[Tuple[str, Optional[str]], ...] = (
    ("timeout", "MS"), ("memory", "MB"), ("steps", "N"), ("budget", "MS"), ("device", "gpu|cpu|auto"),
    ("gpu-name", "GPU"), ("solver", "COMMAND"), ("times", None))
# Options that say how a source in C is read.
_OF_C: Tuple[Tuple[str, str], ...] = (("launch", "FILE"), ("compile-commands", "FOLDER"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python3 -m tilerace judge", allow_abbrev=False,
        description="Judges candidates of cuTile Python, and those whose reference is a function of Python; others go "
                    "to the program `tilerace judge` with these words as they are. All options of the program are "
                    "accepted; `tilerace judge --help` describes them.")
    parser.add_argument("candidate", nargs="?", default="-", help="a context, or - for standard input")
    parser.add_argument("--context", help="a context; the candidate's source comes on standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of to standard output")
    parser.add_argument("--max-feedback", type=int, default=0, metavar="BYTES")
    parser.add_argument("--api-mode", action="store_true")
    parser.add_argument("--worst-launches", action="store_true", help="only for candidates that the program reads itself")
    parser.add_argument("--profile")
    parser.add_argument("--config")
    parser.add_argument("--then", metavar="COMMAND")
    for name, value in _HOW:
        if value:
            parser.add_argument("--" + name, metavar=value, help="as in `tilerace judge`")
        else:
            parser.add_argument("--" + name, action="store_true", help="as in `tilerace judge`")
    for name, value in _OF_C:
        short = ["-p"] if name == "compile-commands" else []
        parser.add_argument(*short, "--" + name, metavar=value, help="only for candidates in C")
    return parser


def _options(words: List[str]) -> argparse.Namespace:
    """Parses the words; `clang` has those behind a `--`."""
    at = words.index("--") if "--" in words else len(words)
    parser = _parser()
    options = parser.parse_args(words[:at])
    options.clang = words[at + 1:]
    if options.then and not options.api_mode:
        parser.error("--then goes with --api-mode")
    return options


def _absolute(value: str) -> str:
    return os.path.abspath(value) if os.path.exists(value) else value


def _words_of(options: argparse.Namespace) -> List[str]:
    """Returns the options for the program, with absolute paths, since it is started in another folder."""
    words: List[str] = ["--max-feedback", str(options.max_feedback)] if options.max_feedback else []
    for name, value in (*_HOW, *_OF_C):
        given = getattr(options, name.replace("-", "_"))
        if given:
            words += ["--" + name, _absolute(given)] if value else ["--" + name]
    return words


def _refuse_words_of_c(options: argparse.Namespace) -> None:
    for name, _ in _OF_C:
        if getattr(options, name.replace("-", "_")):
            raise InputError("--%s is for candidates in C: the context says what this one is launched with" % name)
    if options.clang:
        raise InputError("'%s' is an option of Clang, and the candidate is in cuTile Python" % options.clang[0])


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
            raise InputError("%s is not a context" % path)
        return {"kernel": {"source": text} if path == "-" else os.path.basename(path)}, folder
    context = _outside.read_json(text.encode(), path)
    if not isinstance(context, dict):
        raise InputError("%s is not a context" % path)
    if options.context:
        kernel = context.get("kernel")
        kept = {"name": kernel["name"]} if isinstance(kernel, dict) and "name" in kernel else {}
        context["kernel"] = {**kept, "source": given}
    return context, folder


def _name(context: Dict[str, Any]) -> str:
    """Returns the candidate's name: its file."""
    kernel = context.get("kernel")
    file = kernel.get("file") if isinstance(kernel, dict) else kernel
    return file if isinstance(file, str) else "candidate.py" if is_python(kernel) else "candidate.c"


def _text(judgement: Judgement, name: str) -> str:
    stages = ", ".join("%s %s" % (of.name, of.state) for of in judgement.stages)
    times = ", ".join("%s %.1f ms" % (of["stage"], of["time_ms"]) for of in judgement.answer["tilerace"]["stages"]
                      if of.get("time_ms"))
    return "%s: %s (score %.3f)\n%sstages: %s\n%s" % (
        name, judgement.class_, judgement.score,
        judgement.feedback and judgement.feedback.rstrip("\n") + "\n", stages, times and "times: %s\n" % times)


def _merged(ours: Dict[str, Any], options: argparse.Namespace, given: str) -> Dict[str, Any]:
    """Merges our answer with that of the next guard: the first one that filters decides, and the patterns of both are
    kept."""
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
    """Returns the text to print; None: the program has to judge this candidate."""
    context, folder = _context(options, given)
    python = is_python(context.get("kernel"))
    if not python and not options.context and not is_function(context.get("reference")):
        return None
    if options.worst_launches:
        raise InputError("--worst-launches is for candidates in C and bytecode whose reference is not a Python function")
    if python and "arguments" not in context:
        raise InputError("a candidate of cuTile Python needs a context that says what it is launched with: "
                         "`arguments` and `grid` (docs/judge.md)")
    if python:
        _refuse_words_of_c(options)
    behind = ["--", *options.clang] if options.clang else []
    judgement = judge_by(context, None, folder, [*_words_of(options), *behind])
    if not options.api_mode and options.format == "text":
        return _text(judgement, _name(context))
    answer = dict(judgement.answer)
    if options.then:
        try:
            answer = _merged(answer, options, given)
        except (InputError, ValueError, OSError, subprocess.TimeoutExpired):
            if not answer["should_filter"]:  # else nothing that the other says could change that
                raise
    return json.dumps(answer) + "\n"


def _write(path: str, answer: str) -> int:
    """Writes the answer to a file, and returns the exit code."""
    try:
        _whole_file.write(path, answer.encode())
    except OSError as error:
        print("tilerace: %s: %s" % (path, error.strerror), file=sys.stderr)
        return 2
    return 0


def _end_by_signals() -> None:
    """Turns signals into SystemExit, so that children are ended and their folders removed."""
    def end(number: int, _: Any) -> None:
        raise SystemExit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def run(words: List[str]) -> Tuple[Optional[int], Optional[str]]:
    """Returns the exit code and None, or None and the standard input for the program, which has to be run with these
    words."""
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
    if options.output:
        return _write(options.output, answer), None
    try:
        sys.stdout.write(answer)
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads it, and Python would say so once more at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2, None
    return 0, None

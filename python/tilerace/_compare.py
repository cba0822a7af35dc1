"""Two kernels that should do the same: `compare()`, over the program's `tilerace compare`.

Kernels of cuTile Python are compiled in processes of their own, for launches of many sizes; the program
compares the Tile IR that comes back, for each way in which the front end specialises the two.
"""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from tilerace import _judge_built, _launch_contract, _outside, _program, _trials
from tilerace._context import Context
from tilerace._results import InputError, NoTruth

_SHARED = ("sizes", "arguments", "grid", "limits", "samples", "seed")  # B's, where it states none, are A's

Candidate = Union[str, "os.PathLike[str]", Mapping[str, Any]]


@dataclass(frozen=True)
class Difference:
    """A known kind of difference that explains why the two kernels differ."""

    name: str  #: "ids-from-one", ... (docs/compare.md)
    sentence: str
    help: str
    changed: Optional[str] = None  #: "A" or "B": which of the two is equal to the other after the change
    change: Optional[str] = None
    exact: bool = False  #: after the change, the kernel equals the other one op for op
    launches: int = 0
    axes: Tuple[int, ...] = ()
    file: Optional[str] = None
    line: Optional[int] = None


@dataclass(frozen=True)
class Comparison(NoTruth):
    """Says whether two kernels do the same. `str()` gives one line and the names of the differences."""

    result: str  #: "same", "different" or "unknown"
    differences: Tuple[Difference, ...]
    stores: str  #: "proved", "tried" or "differs"
    loads: str
    order_of_sums: str  #: "equal", "differs" or "unknown"
    launches: int
    why: Optional[str]
    answer: Mapping[str, Any] = field(repr=False)  #: as the program gives it (docs/compare.schema.json)

    @property
    def names(self) -> Tuple[str, ...]:
        """The names of the differences, the most certain first."""
        return tuple(of.name for of in self.differences)

    def __str__(self) -> str:
        lines = [self.result + (": " + self.why if self.why else "")]
        for of in self.differences:
            place = " (line %d)" % of.line if of.line else ""
            change = ": %s %s%s" % (of.changed, of.change, place) if of.change else ""
            lines.append("%s: %s%s" % (of.name, of.sentence, change))
        return "\n".join(lines)


def _difference_of(of: Mapping[str, Any]) -> Difference:
    values: Dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value
                              for key, value in of.items()}
    return Difference(**values)


def _comparison(answer: Mapping[str, Any]) -> Comparison:
    differences = tuple(map(_difference_of, answer["differences"]))
    return Comparison(answer["result"], differences, answer["stores"], answer["loads"],
                      answer["order_of_sums"], answer["launches"], answer.get("why"), answer)


def _ask_program(a: str, b: str, options: Sequence[str]) -> Dict[str, Any]:
    run = subprocess.run([_program.find(), "compare", "--format", "json", *options, a, b],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3) or not run.stdout:
        raise InputError(run.stderr.strip() or "tilerace compare gives no answer")
    answer: Dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return answer


class _Side:
    """One of the two kernels, compiled for the launches of its context."""

    def __init__(self, letter: str, stated: Mapping[str, Any], folder: str, room: str,
                 sizes: Optional[Sequence[Mapping[str, int]]]) -> None:
        self.letter, self.room = letter, room
        self.context = Context(stated, folder)
        self.sizes = sizes if sizes is not None else _trials.sizes_of(self.context)
        self.trials = [_trials.Trial(self.context, i, dict(of), {}, room) for i, of in enumerate(self.sizes)]
        file = os.path.join(room, letter + ".py")
        with open(file, "w", encoding="utf-8", errors="surrogatepass") as out:
            out.write(self.context.source)
        built = _judge_built.compiled(file, self.context.name, [trial.specs for trial in self.trials], room,
                                      self.context.limits)
        if isinstance(built, dict):
            raise InputError("%s: %s" % (self.shown, built["what"]))
        self.modules, self.of, self.doubt = built.modules, built.of, built.doubt

    @property
    def shown(self) -> str:
        return str(self.context.file or "kernel " + self.letter)

    def write(self, number: int, module: int, trials: Sequence[int]) -> str:
        """The module, with its launches beside it: all of its kind, then those that are tried."""
        base = os.path.join(self.room, "%s%d" % (self.letter, number))
        of = self.modules[module]
        names = _launch_contract.parameters(self.context)
        launches = [self.trials[i].launch(self.context, of.symbol, names, {}) for i in trials]
        whole = _launch_contract.launch_of(self.context, of, {})
        if "grid" in whole:
            launches.insert(0, whole)
        with open(base + ".tilebc", "wb") as out:
            out.write(of.bytes)
        with open(base + ".launch.json", "w", encoding="utf-8") as text:
            json.dump({"version": 2, "launches": launches}, text)
        return base + ".tilebc"

    def has_grid(self, module: int) -> bool:
        return "grid" in _launch_contract.launch_of(self.context, self.modules[module], {})


def _difference(answers: Sequence[Dict[str, Any]]) -> Dict[str, Any]:
    """Chooses, of several answers that differ, the one with the fewest names of a difference. Only names that fit all
    answers count: at a size of one, many changes come to the same."""
    best = min(answers, key=lambda of: (of["differences"][0]["name"] in ("other", "preconditions"),
                                        len(of["differences"])))
    names = [{one["name"] for one in of["differences"]} for of in answers]
    common = [one for one in best["differences"] if all(one["name"] in of for of in names)]
    return {**best, "differences": common or best["differences"]}


def _worst(answers: Sequence[Dict[str, Any]]) -> Dict[str, Any]:
    """Chooses, of the answers for all specialisations, one that differs, else one that is not decided: kernels are
    equivalent only if they are so in all specialisations."""
    different = [answer for answer in answers if answer["result"] == "different"]
    if different:
        return _difference(different)
    for answer in answers:
        if answer["result"] == "unknown":
            return answer
    whole = dict(answers[0])
    whole["launches"] = sum(answer["launches"] for answer in answers)
    for key, order in (("stores", ("proved", "tried", "differs")), ("loads", ("tried", "differs")),
                       ("order_of_sums", ("equal", "differs", "unknown"))):
        whole[key] = max((answer[key] for answer in answers), key=order.index)
    whole["one_code"] = all(answer["one_code"] for answer in answers)
    return whole


def _context_of(candidate: Candidate) -> Tuple[Dict[str, Any], str]:
    """A context, and the folder that its files are named from."""
    if isinstance(candidate, Mapping):
        return dict(candidate), "."
    path = os.fspath(candidate)
    if path.endswith(".json"):
        return _outside.read_json(_outside.read_file(path), path), os.path.dirname(path) or "."
    name, colon, kernel = path.rpartition(":")
    if colon and name.endswith(".py"):
        return {"kernel": {"file": os.path.basename(name), "name": kernel}}, os.path.dirname(name) or "."
    return {"kernel": os.path.basename(path)}, os.path.dirname(path) or "."


def _is_context(candidate: Candidate) -> bool:
    if isinstance(candidate, Mapping):
        return True
    path = os.fspath(candidate)
    return path.endswith((".py", ".json")) or path.rpartition(":")[0].endswith(".py")


def _compare_python(a: Candidate, b: Candidate, options: Sequence[str]) -> Comparison:
    contexts = [_context_of(a), _context_of(b)]
    for key in _SHARED:
        if key in contexts[0][0]:
            contexts[1][0].setdefault(key, contexts[0][0][key])
    with tempfile.TemporaryDirectory(prefix="tilerace-compare-") as room:
        first = _Side("A", contexts[0][0], contexts[0][1], room, None)
        second = _Side("B", contexts[1][0], contexts[1][1], room, first.sizes)
        pairs: Dict[Tuple[int, int], List[int]] = {}
        for i, pair in enumerate(zip(first.of, second.of)):
            pairs.setdefault(pair, []).append(i)
        answers = []
        for number, (pair, trials) in enumerate(pairs.items()):
            if first.has_grid(pair[0]) != second.has_grid(pair[1]):
                raise InputError("the grid of one of the two kernels cannot be expressed by its parameters")
            answers.append(_ask_program(first.write(number, pair[0], trials),
                                        second.write(number, pair[1], trials), options))
        worst, doubt = _worst(answers), first.doubt or second.doubt
        if doubt and worst["result"] == "same":
            worst.update(result="unknown", why="code that runs makes one of the two kernels: " + doubt)
        text = json.dumps(worst).replace(room + "/", "")
    for side in (first, second):
        text = text.replace('"%s.py"' % side.letter, json.dumps(side.shown))
    return _comparison(json.loads(text))


def compare(a: Candidate, b: Candidate, *, match: Optional[str] = None, permute: Sequence[str] = (),
            samples: Optional[int] = None) -> Comparison:
    """Says whether two kernels do the same, and names the kind of difference.

    Each is a file of C or bytecode, `FILE` or `FILE:KERNEL`, or a context of cuTile Python
    (docs/judge.md, "Candidates in Python") as a mapping or in a JSON file. Sizes, arguments and the
    grid that the second context does not state are those of the first. Raises InputError if one of the
    two cannot be read.
    """
    options = ["--match", match] if match else []
    for words in permute:
        options += ["--permute", words]
    if samples is not None:
        options += ["--samples", str(samples)]
    if _is_context(a) != _is_context(b):
        raise InputError("a kernel of cuTile Python is compared with another one: its arrays are "
                         "parameters of another form than those of C")
    if _is_context(a):
        return _compare_python(a, b, options)
    return _comparison(_ask_program(os.fspath(a), os.fspath(b), options))  # type: ignore[arg-type]

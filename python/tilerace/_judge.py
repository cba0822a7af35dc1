"""Candidate kernels to their classes: `judge()`, over the program's `tilerace judge`.

A candidate of cuTile Python is compiled in a process of its own, for launches of many sizes. What comes
back is Tile IR, which the program proves and runs; the candidate's own words are never taken for an
answer.
"""
from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from tilerace import _judge_built, _judge_compiled, _judge_sizes, _launch_contract, _outside, _trials
from tilerace._context import Context, is_python, whole_numbers
from tilerace._judge_ask import ask, worst_launches
from tilerace._judge_reference import Function, expect, is_function
from tilerace._judgement import Judgement, judgement_of
from tilerace._results import InputError
from tilerace._trials import Trial


_DOUBT = ("the candidate's own code makes the kernel as it runs, and could have another one judged than the one "
          "that is launched later: %s. Where the context says \"trusted\": true, that is believed")


class _PythonJudge:
    """One combination of tuning values."""

    def __init__(self, context: Context, reference: Function) -> None:
        self.context, self.function = context, reference

    def answer(self, tuned: Mapping[str, Any], options: Sequence[str]) -> Dict[str, Any]:
        with tempfile.TemporaryDirectory(prefix="tilerace-judge-") as folder:
            answer = ask(self._prepare(tuned, folder, options), folder, options)
        text = json.dumps(answer).replace(folder + "/", "")
        if self.context.file:
            name = json.dumps(self.context.file)[1:-1]
            text = text.replace('"candidate.py', '"' + name).replace("candidate.py:", name + ":")
        shown: Dict[str, Any] = json.loads(text)
        return shown

    def _prepare(self, tuned: Mapping[str, Any], folder: str, options: Sequence[str]) -> Dict[str, Any]:
        context = self.context
        own = {"samples": context.samples, "seed": context.seed,
               **({"stages": context.stages} if context.stages else {})}
        trials = [Trial(context, i, {**of, **whole_numbers(tuned)}, tuned, folder)
                  for i, of in enumerate(_trials.sizes_of(context))]
        specs = [trial.specs for trial in trials]
        file = os.path.join(folder, "candidate.py")
        with open(file, "w", encoding="utf-8", errors="surrogatepass") as out:
            out.write(context.source)
        built = _judge_built.compiled(file, context.name, specs, folder, context.limits)
        if isinstance(built, dict):
            return {"refused": built, **own}
        variants = [self._variant(number, module, tuned, folder) for number, module in enumerate(built.modules)]
        of = [*built.of]
        for which, trial in self._worst({"variants": variants, **own}, built.modules, trials, tuned, folder, options):
            trials.append(trial)
            of.append(which)
        expected = expect(context, self.function, [trial.specs for trial in trials], folder)
        for number, (variant, module) in enumerate(zip(variants, built.modules)):
            launches = [trial.launch(context, module.symbol, _launch_contract.parameters(context), expected)
                        for trial, which in zip(trials, of) if which == number]
            variant["trials"] = "%d.json" % number
            with open(os.path.join(folder, variant["trials"]), "w", encoding="utf-8") as text:
                json.dump({"version": 2, "launches": launches}, text)
        doubt = {} if built.doubt is None or context.trusted else {"doubt": _DOUBT % built.doubt}
        return {"variants": variants, **own, **doubt,
                "outputs": [of["name"] for of in context.arguments if of.get("output") and not of.get("inout")]}

    def _worst(self, asked: Mapping[str, Any], modules: Sequence[_judge_built.Module], drawn: Sequence[Trial],
               tuned: Mapping[str, Any], folder: str, options: Sequence[str]) -> Iterator[Tuple[int, Trial]]:
        """More launches, each with the number of the module that it is for: those that the program's solver gives.
        Nobody could say what is right there without a reference, and the program tries them by itself then."""
        if self.context.reference is None:
            return
        there = [trial.sizes for trial in drawn]
        for launch in worst_launches(asked, folder, options):
            which = [variant["file"] for variant in asked["variants"]].index(launch.file)
            sizes = _trials.sizes_at(self.context, launch.values, tuned)
            if sizes is None or sizes in there:
                continue
            trial = Trial(self.context, len(there), sizes, tuned, folder, launch.values)
            if _judge_built.is_launch_of(modules[which], trial.specs):
                there.append(sizes)
                yield which, trial

    def _variant(self, number: int, module: _judge_built.Module, tuned: Mapping[str, Any], folder: str) -> Dict[str, Any]:
        name = "%d.tilebc" % number
        with open(os.path.join(folder, name), "wb") as out:
            out.write(module.bytes)
        return {"file": name, "launch": _launch_contract.launch_of(self.context, module, tuned)}


def _together(context: Context, answers: List[Tuple[Dict[str, Any], Dict[str, Any]]]) -> Dict[str, Any]:
    """Merges the answers for all combinations of tuning values, as the program does for candidates in C."""
    invalid = {"does-not-compile", "malformed"}
    any_kernel = any(answer["tilerace"]["class"] not in invalid for _, answer in answers)
    rows, scores = [], []
    for tuned, answer in answers:
        class_, score = answer["tilerace"]["class"], answer["tilerace"]["score"]
        if any_kernel and class_ in invalid:
            class_ = "wrong-tuning-value"
        else:
            scores.append(score)
        rows.append({"values": list(tuned.values()), "class": class_, "score": score})
    order = [i for i, row in enumerate(rows) if row["class"] not in ("passed", "unknown", "wrong-tuning-value")]
    order += [i for i, row in enumerate(rows) if row["class"] == "unknown"]
    order += [i for i, row in enumerate(rows) if row["class"] == "passed"]
    whole = dict(answers[order[0] if order else 0][1])
    own = dict(whole["tilerace"])
    told = ["%s: %s\n" % (", ".join("%s = %s" % pair for pair in tuned.items()), row["class"])
            for (tuned, _), row in zip(answers, rows) if row["class"] != "passed"]
    own.update(score=round(sum(scores) / len(scores), 3) if scores else 0.0,
               tuning={"parameters": list(context.tune), "combinations": rows},
               feedback="".join(told) + own["feedback"])
    whole["tilerace"] = own
    return whole


def _answer_of_compiled(context: Mapping[str, Any], reference: Function, folder: str,
                        options: Sequence[str]) -> Dict[str, Any]:
    """Judges a candidate that the program reads itself."""
    if reference is None and not is_function(context.get("reference")):
        return ask(context, folder, options)
    with tempfile.TemporaryDirectory(prefix="tilerace-judge-") as own:
        return ask(_judge_compiled.request(context, reference, folder, own, options), own, options)


def _read(candidate: "Union[str, os.PathLike[str]]") -> Tuple[Dict[str, Any], str]:
    """The context in a file, or that of a file of kernels, and the folder that it names files in."""
    path = os.fspath(candidate)
    text = _outside.read_file(path)
    is_context = text.lstrip().startswith(b"{")
    context = _outside.read_json(text, path) if is_context else {"kernel": os.path.basename(path)}
    return context, os.path.dirname(path) or "."


def judge_by(context: Mapping[str, Any], reference: Function, folder: str, options: Sequence[str]) -> Judgement:
    """Like judge(), with options of the program. They name files by absolute paths."""
    stated = dict(context)
    if not is_python(stated.get("kernel")):
        return judgement_of(_answer_of_compiled(stated, reference, folder, options))
    if reference is not None:
        stated["reference"] = "function"
    of = Context(stated, folder)
    if not of.tune:
        return judgement_of(_PythonJudge(of, reference).answer({}, options))
    answers = [(tuned, _PythonJudge(of, reference).answer(tuned, options))
               for tuned in _judge_sizes.products(of.tune)]
    return judgement_of(_together(of, answers))


def judge(candidate: Union[str, "os.PathLike[str]", Mapping[str, Any]], *,
          reference: Optional[Callable[..., Any]] = None, max_feedback: int = 0,
          folder: str = ".") -> Judgement:
    """Judges a candidate kernel.

    `candidate` is a context (docs/judge.md), as a mapping or in a file, or a file of kernels. Files
    that a mapping names are in `folder`.
    `reference` is a function over NumPy arrays that returns the outputs, or changes them in place; it
    replaces the context's own. Raises InputError if the context or the reference is wrong.
    """
    options = ["--max-feedback", str(max_feedback)] if max_feedback else []
    if isinstance(candidate, Mapping):
        return judge_by(candidate, reference, folder, options)
    context, folder = _read(candidate)
    return judge_by(context, reference, folder, options)


def score(candidate: Union[str, "os.PathLike[str]", Mapping[str, Any]], **options: Any) -> float:
    """Returns the score of `judge`, from 0 to 1, for use as a reward."""
    return judge(candidate, **options).score

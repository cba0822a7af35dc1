"""Candidate kernels to their classes: `judge()`, over the program's `tilerace judge`.

A candidate of cuTile Python is compiled in a process of its own, for launches of many sizes. What comes
back is Tile IR, which the program proves and runs; the candidate's own words are never taken for an
answer.
"""
from __future__ import annotations

import importlib
import json
import math
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from tilerace import _judge_built, _judge_process, _judge_sizes, _outside, _program
from tilerace._arguments import packed
from tilerace._confine import Limits
from tilerace._judge_sizes import Sizes, evaluate, renamed
from tilerace._results import InputError, NoTruth

MOST_ELEMENTS = 1 << 16  # of all arrays of one launch that is tried
_KEYS = {"version", "kernel", "sizes", "arguments", "grid", "reference", "tolerance", "samples", "seed",
         "tune", "limits"}
_DTYPES = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32",
           "uint16", "uint8", "bool")


@dataclass(frozen=True)
class Stage:
    name: str
    state: str  #: "passed", "failed", "unknown", "not-reached", "not-asked"
    score: Optional[float]
    launches: int  #: that were tried
    why: Optional[str]


@dataclass(frozen=True)
class Fault:
    """What is wrong, with all that the program says of it."""

    stage: str
    class_: str
    what: str
    rule: Optional[str] = None
    kernel: Optional[str] = None
    file: Optional[str] = None
    line: Optional[int] = None
    launch: Optional[str] = None
    shown: Optional[str] = None
    help: Optional[str] = None


@dataclass(frozen=True)
class Judgement(NoTruth):
    """What a candidate is. `str()` of it is what an agent needs to correct it."""

    class_: str  #: "passed", "race", ... (docs/judge.md)
    score: float
    should_filter: bool
    filter_reason: str
    stages: Tuple[Stage, ...]
    faults: Tuple[Fault, ...]
    preconditions: Tuple[str, ...]
    feedback: str
    tuning: Tuple[Tuple[Mapping[str, Any], str], ...]  #: each combination and its class
    answer: Mapping[str, Any] = field(repr=False)  #: as the program gives it (docs/judge.schema.json)

    @property
    def passed(self) -> bool:
        return self.class_ == "passed"

    def is_safe(self, **values: Any) -> bool:
        """Whether that combination of tuning values passed: a filter for an autotuner."""
        return any(dict(of) == values and class_ == "passed" for of, class_ in self.tuning)

    def __str__(self) -> str:
        return self.feedback or self.class_


def _judgement(answer: Dict[str, Any]) -> Judgement:
    own = answer["tilerace"]
    tuning = own.get("tuning", {"parameters": [], "combinations": []})
    return Judgement(
        own["class"], own["score"], answer["should_filter"], answer["filter_reason"],
        tuple(Stage(of["stage"], of["state"], of.get("score"), of.get("launches", 0), of.get("why"))
              for of in own["stages"]),
        tuple(Fault(**{("class_" if key == "class" else key): value for key, value in of.items()})
              for of in own["faults"]),
        tuple(own["preconditions"]), own["feedback"],
        tuple((dict(zip(tuning["parameters"], of["values"])), of["class"])
              for of in tuning["combinations"]), answer)


def _ask_program(context: Mapping[str, Any], folder: Optional[str], options: Sequence[str]) -> Dict[str, Any]:
    command = [_program.find(), "judge", "--format", "json", *options, "-"]
    run = subprocess.run(command, input=json.dumps(context), capture_output=True, text=True,
                         check=False, cwd=folder)
    if run.returncode != 0 or not run.stdout:
        raise InputError(run.stderr.strip() or "tilerace judge gives no answer")
    answer: Dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return answer


# ---- Contexts of cuTile Python ----


class _Context:
    """A context whose candidate is cuTile Python (docs/judge.md, "Candidates in Python")."""

    def __init__(self, stated: Mapping[str, Any], folder: str) -> None:
        unknown = sorted(set(stated) - _KEYS)
        if unknown:
            raise InputError("%s is no key of a context of cuTile Python" % unknown[0])
        self.folder = folder
        self.samples = stated.get("samples", 8)
        self.seed = stated.get("seed", 1)
        self.reference = stated.get("reference")
        self.tolerance = stated.get("tolerance")
        self.tune: Mapping[str, Sequence[Any]] = stated.get("tune", {})
        self.arguments: List[Mapping[str, Any]] = stated.get("arguments", [])
        self.grid: List[_judge_sizes.Expression] = stated.get("grid", [])
        self.limits = Limits(**stated.get("limits", {}))
        self._take_kernel(stated.get("kernel"))
        self.sizes = Sizes(stated.get("sizes", {}), MOST_ELEMENTS // 4)
        if not self.arguments or not 1 <= len(self.grid) <= 3:
            raise InputError("a context of cuTile Python has arguments, and a grid of up to three "
                             "extents: what the kernel is launched with")
        for i, of in enumerate(self.arguments):
            if "name" not in of or sum(key in of for key in ("shape", "value", "constant")) != 1:
                raise InputError("arguments[%d] has a name, and a shape, a value or a constant" % i)
            if "shape" in of and of.get("dtype") not in _DTYPES:
                raise InputError("arguments[%d]: the dtype of '%s' is one of %s"
                                 % (i, of["name"], ", ".join(_DTYPES)))

    def _take_kernel(self, kernel: Any) -> None:
        of = {"file": kernel} if isinstance(kernel, str) else dict(kernel or {})
        self.name = of.get("name")
        self.file = of.get("file")
        if "source" in of:
            self.source = of["source"]
        elif self.file:
            self.source = _outside.read_text(os.path.join(self.folder, self.file))
        else:
            raise InputError("kernel is missing: a file, or its source")

    def elements(self, sizes: Mapping[str, int]) -> int:
        return sum(math.prod(evaluate(extent, sizes) for extent in of["shape"])
                   for of in self.arguments if "shape" in of)

    def shape(self, of: Mapping[str, Any], sizes: Mapping[str, int]) -> List[int]:
        return [evaluate(extent, sizes) for extent in of["shape"]]

    def value(self, of: Mapping[str, Any], sizes: Mapping[str, int], tuned: Mapping[str, Any]) -> Any:
        """Of a number: a size, a tuning value, or as it is stated."""
        stated = of["value"] if "value" in of else of["constant"]
        if isinstance(stated, str):
            return tuned[stated] if stated in tuned else evaluate(stated, sizes)
        return stated


def _whole(values: Mapping[str, Any]) -> Dict[str, int]:
    return {key: value for key, value in values.items() if type(value) is int}


def _contents(of: Mapping[str, Any], n: int, sizes: Mapping[str, int], draw: Any) -> Any:
    """The elements of an input."""
    np: Any = importlib.import_module("numpy")
    dtype = np.dtype(of["dtype"])
    if dtype.kind == "f":
        return draw.uniform(-1, 1, n).astype(dtype)
    low, high = evaluate(of.get("min", 0), sizes), evaluate(of.get("max", 100), sizes)
    if of.get("unique"):
        if high - low + 1 < n:
            raise InputError("'%s' cannot hold %d different numbers from %d to %d"
                             % (of["name"], n, low, high))
        return (low + draw.permutation(high - low + 1)[:n]).astype(dtype)
    return draw.integers(low, high, n, endpoint=True).astype(dtype)


class _Trial:
    """One launch: its arguments as the children take them, with files of their contents."""

    def __init__(self, context: _Context, number: int, sizes: Dict[str, int], tuned: Mapping[str, Any],
                 folder: str) -> None:
        np: Any = importlib.import_module("numpy")
        self.number, self.sizes = number, sizes
        draw = np.random.default_rng((context.seed, number))
        self.specs: List[Dict[str, Any]] = []
        for i, of in enumerate(context.arguments):
            if "shape" not in of:
                self.specs.append({"name": of["name"], "value": context.value(of, sizes, tuned),
                                   "constant": "constant" in of})
                continue
            shape = context.shape(of, sizes)
            # Rows that lie apart every second time, where the context allows it.
            apart = bool(of.get("strided")) and not of.get("output") and number % 2 == 1 and len(shape) > 1
            strides = packed(shape[:-1] + [shape[-1] + 3]) if apart else packed(shape)
            n = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
            spec = {"name": of["name"], "dtype": of["dtype"], "shape": shape, "strides": strides,
                    "elements": n, "output": bool(of.get("output"))}
            if not of.get("output") or of.get("inout"):
                spec["file"] = "input%d.%d.bin" % (number, i)
                _contents(of, n, sizes, draw).tofile(os.path.join(folder, spec["file"]))
            self.specs.append(spec)

    def launch(self, context: _Context, symbol: str, names: List[str]) -> Dict[str, Any]:
        """As a launch contract states it, with contents and what the outputs have to hold."""
        args: List[Dict[str, Any]] = []
        for i, spec in enumerate(self.specs):
            if "shape" in spec:
                args.append({"elements": spec["elements"],
                             "fill": {"file": spec["file"]} if "file" in spec else "undefined"})
                if spec["output"] and context.reference is not None:
                    args[-1]["reference"] = {"file": "expected%d.%d.bin" % (self.number, i)}
                    if context.tolerance is not None:
                        args[-1]["tolerance"] = context.tolerance
                    else:
                        args[-1]["tolerance"] = {"float16": 1e-2, "float32": 1e-4,
                                                 "float64": 1e-12}.get(spec["dtype"], 0)
                args += [{"value": extent} for extent in (*spec["shape"], *spec["strides"])]
            elif not spec["constant"]:
                args.append({"value": spec["value"]})
        grid = [evaluate(extent, self.sizes) for extent in context.grid]
        return {"kernel": symbol, "grid": grid, "parameters": names,
                "args": [{"name": name, **of} for name, of in zip(names, args)]}


def _names(context: _Context) -> List[str]:
    """Of the parameters that the module has."""
    names: List[str] = []
    for of in context.arguments:
        if "shape" in of:
            rank = len(of["shape"])
            names.append(of["name"])
            names += ["%s.shape[%d]" % (of["name"], d) for d in range(rank)]
            names += ["%s.stride[%d]" % (of["name"], d) for d in range(rank)]
        elif "value" in of:
            names.append(of["name"])
    return names


def _names_of_sizes(context: _Context) -> Dict[str, str]:
    """A parameter that holds each size, for those that have one."""
    names: Dict[str, str] = {}
    for of in context.arguments:
        for d, extent in enumerate(of.get("shape", ())):
            names.setdefault(str(extent), "%s.shape[%d]" % (of["name"], d))
        if isinstance(of.get("value"), str):
            names.setdefault(of["value"], of["name"])
    return {size: name for size, name in names.items() if size in context.sizes.ranges}


def _facts_of_array(of: Mapping[str, Any], known: Mapping[str, Any], names: Mapping[str, str]) -> List[str]:
    """Its extents, strides, and what the front end has fixed of them for these launches."""
    facts: List[str] = []
    name, rank = of["name"], len(of["shape"])
    for d in range(rank):
        parts = {"shape": "%s.shape[%d]" % (name, d), "stride": "%s.stride[%d]" % (name, d)}
        extent = renamed(of["shape"][d], names)
        if extent is not None and extent != parts["shape"]:
            facts.append("%s == %s" % (parts["shape"], extent))
        if not of.get("strided"):
            behind = " * ".join("%s.shape[%d]" % (name, k) for k in range(d + 1, rank)) or "1"
            facts.append("%s == %s" % (parts["stride"], behind))
        for what, part in parts.items():
            constant, divisor = known[what + "_constant"][d], known[what + "_divisible_by"][d]
            if constant is not None:
                facts.append("%s == %d" % (part, constant))
            elif divisor and divisor > 1:
                facts.append("%s %% %d == 0" % (part, divisor))
    return facts


def _launches(context: _Context, module: _judge_built.Module, tuned: Mapping[str, Any]) -> Dict[str, Any]:
    """All launches of the context that the module is compiled for, as a launch contract."""
    sizes = _names_of_sizes(context)
    names = {**sizes, **{key: str(value) for key, value in _whole(tuned).items()}}
    facts, contents = context.sizes.facts(sizes), []
    for of, known in zip(context.arguments, module.known):
        if "shape" in of:
            facts += _facts_of_array(of, known, names)
            limits = {key: renamed(of[key], names) for key in ("min", "max") if key in of}
            stated: Dict[str, Any] = {key: value for key, value in limits.items() if value is not None}
            if of.get("unique"):
                stated["unique"] = True
            if stated:
                contents.append({"buffer": of["name"], **stated})
        elif "value" in of and isinstance(of["value"], str):
            value = renamed(of["value"], names)
            if value is not None and value != of["name"]:
                facts.append("%s == %s" % (of["name"], value))
    launch: Dict[str, Any] = {"kernel": module.symbol, "parameters": _names(context), "assume": facts,
                              "args": [{"name": name} for name in _names(context)]}
    grid = [renamed(extent, names) for extent in context.grid]
    if None not in grid:
        launch["grid"] = grid
    if contents:
        launch["contents"] = contents
    return launch


class _PythonJudge:
    """One combination of tuning values."""

    def __init__(self, context: _Context, reference: Optional[Callable[..., Any]]) -> None:
        self.context, self.function = context, reference

    def answer(self, tuned: Mapping[str, Any], options: Sequence[str]) -> Dict[str, Any]:
        with tempfile.TemporaryDirectory(prefix="tilerace-judge-") as folder:
            context = self._prepare(tuned, folder)
            answer = _ask_program(context, folder, options)
        text = json.dumps(answer).replace(folder + "/", "")
        if self.context.file:
            text = text.replace('"candidate.py', '"' + self.context.file).replace(
                "candidate.py:", self.context.file + ":")
        shown: Dict[str, Any] = json.loads(text)
        return shown

    def _prepare(self, tuned: Mapping[str, Any], folder: str) -> Dict[str, Any]:
        context = self.context
        sizes = context.sizes.samples(context.samples, context.seed, context.elements, MOST_ELEMENTS)
        trials = [_Trial(context, i, {**of, **_whole(tuned)}, tuned, folder) for i, of in enumerate(sizes)]
        file = os.path.join(folder, "candidate.py")
        with open(file, "w", encoding="utf-8") as out:
            out.write(context.source)
        built = _judge_built.read(_judge_process.run(
            {"role": "compile", "file": file, "kernel": context.name,
             "samples": [trial.specs for trial in trials]}, folder, context.limits),
            [trial.specs for trial in trials])
        if isinstance(built, dict):
            return {"refused": built}
        self._expect(trials, folder)
        return {"variants": [self._variant(number, module, built.of, trials, tuned, folder)
                             for number, module in enumerate(built.modules)],
                "samples": context.samples, "seed": context.seed}

    def _variant(self, number: int, module: _judge_built.Module, of: Sequence[int], trials: Sequence[_Trial],
                 tuned: Mapping[str, Any], folder: str) -> Dict[str, Any]:
        names = {key: "%d.%s" % (number, key) for key in ("tilebc", "json")}
        with open(os.path.join(folder, names["tilebc"]), "wb") as out:
            out.write(module.bytes)
        launches = [trial.launch(self.context, module.symbol, _names(self.context))
                    for trial, which in zip(trials, of) if which == number]
        with open(os.path.join(folder, names["json"]), "w", encoding="utf-8") as text:
            json.dump({"version": 2, "launches": launches}, text)
        return {"file": names["tilebc"], "trials": names["json"],
                "launch": _launches(self.context, module, tuned)}

    def _expect(self, trials: Sequence[_Trial], folder: str) -> None:
        """Leaves what the reference gives in files."""
        if self.context.reference is None:
            return
        specs = [trial.specs for trial in trials]
        if self.function is None:
            path, _, name = str(self.context.reference).rpartition(":")
            expected = _judge_built.read_expected(_judge_process.run(
                {"role": "reference", "function": name, "samples": specs,
                 "file": os.path.join(os.path.abspath(self.context.folder), path)},
                folder, self.context.limits), specs)
        else:
            from tilerace import _judge_child
            try:
                expected = _judge_child.run_function(self.function, specs, folder)
            except _judge_child.Refused as refused:
                raise InputError("the reference %s" % refused) from refused
        for key, of in expected.items():
            with open(os.path.join(folder, "expected%s.bin" % key), "wb") as out:
                out.write(of)


def _is_python(kernel: Any, folder: str) -> bool:
    of = {"file": kernel} if isinstance(kernel, str) else dict(kernel or {})
    if "source" in of:
        return "cuda.tile" in of["source"] or "from cuda import tile" in of["source"]
    return str(of.get("file", "")).endswith(".py")


def _together(context: _Context, answers: List[Tuple[Dict[str, Any], Dict[str, Any]]]) -> Dict[str, Any]:
    """Of all combinations: as the program does it for candidates in C."""
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


def judge(candidate: Union[str, "os.PathLike[str]", Mapping[str, Any]], *,
          reference: Optional[Callable[..., Any]] = None, max_feedback: int = 0,
          folder: str = ".") -> Judgement:
    """What a candidate kernel is.

    `candidate` is a context (docs/judge.md), as a mapping or in a file, or a file of kernels. What a
    mapping names lies in `folder`.
    `reference` is a function over NumPy arrays that gives the outputs, or changes them in place; it
    stands for the context's own. InputError where the context, or the reference, is wrong.
    """
    options = ["--max-feedback", str(max_feedback)] if max_feedback else []
    if isinstance(candidate, Mapping):
        context: Dict[str, Any] = dict(candidate)
    else:
        path = os.fspath(candidate)
        folder = os.path.dirname(path) or "."
        text = _outside.read_file(path)
        is_context = text.lstrip().startswith(b"{")
        context = _outside.read_json(text, path) if is_context else {"kernel": os.path.basename(path)}
    if not _is_python(context.get("kernel"), folder):
        return _judgement(_ask_program(context, folder, options))
    if reference is not None:
        context["reference"] = "function"
    of = _Context(context, folder)
    if not of.tune:
        return _judgement(_PythonJudge(of, reference).answer({}, options))
    answers = [(tuned, _PythonJudge(of, reference).answer(tuned, options))
               for tuned in _judge_sizes.products(of.tune)]
    return _judgement(_together(of, answers))


def score(candidate: Union[str, "os.PathLike[str]", Mapping[str, Any]], **options: Any) -> float:
    """The score of `judge`, from 0 to 1, for a reward."""
    return judge(candidate, **options).score

"""The answers of `tilerace judge`, as values."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Tuple

from tilerace._results import NoTruth


@dataclass(frozen=True)
class Stage:
    """A stage of a judgement."""

    name: str
    state: str  #: "passed", "failed", "unknown", "not-reached", "not-asked"
    score: Optional[float]
    launches: int  #: that were tried
    why: Optional[str]


@dataclass(frozen=True)
class Fault:
    """A mistake in a candidate."""

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
    """The judgement of a candidate. `str()` gives the feedback that an agent needs to correct it."""

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
        """Says whether this combination of tuning values passed: a filter for an autotuner."""
        return any(dict(of) == values and class_ == "passed" for of, class_ in self.tuning)

    def __str__(self) -> str:
        return self.feedback or self.class_


def judgement_of(answer: Mapping[str, Any]) -> Judgement:
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

"""trl: a reward function for GRPOTrainer and others.

    GRPOTrainer(..., reward_funcs=tilerace.adapters.trl.reward())

The data set's column `context` says what each completion is for; or one context stands for all.
"""
from __future__ import annotations

from typing import Any, Callable, List, Optional

from tilerace.adapters import Context, code_of, judge_all


def reward(context: Optional[Context] = None, column: str = "context") -> Callable[..., List[Optional[float]]]:
    """completions, and the data set's columns -> a score each. None where there is no context: then this
    reward does not apply."""
    def tilerace_score(completions: List[Any], **columns: Any) -> List[Optional[float]]:
        contexts = columns.get(column) or [context] * len(completions)
        judgements = judge_all([(of, code_of(each)) for of, each in zip(contexts, completions)])
        return [None if judgement is None else judgement.score for judgement in judgements]
    return tilerace_score

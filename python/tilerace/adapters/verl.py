"""verl: a function that computes rewards.

    custom_reward_function.path=pkg://tilerace.adapters.verl custom_reward_function.name=compute_score

The data set's `ground_truth` is the context, as JSON or as a file's name.
"""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from tilerace.adapters import Context, code_of, judge_code


def compute_score(data_source: str, solution_str: str, ground_truth: Context,
                  extra_info: Optional[Mapping[str, Any]] = None, **_: Any) -> Dict[str, Any]:
    """`score`, which is the reward, and the same keys for every candidate, as verl collects them."""
    judgement = judge_code(ground_truth, code_of(solution_str), max_feedback=1000)
    return {"score": judgement.score, "passed": judgement.passed, "class": judgement.class_,
            "feedback": str(judgement)}

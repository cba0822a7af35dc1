"""cuTileForge: a stage of its verifier between purity and execution, and the reward of it.

    if not stage(rec, code, context):    # in verify/worker.py, behind the purity gate
        continue
    reward = reward_for(rec, rl.reward.reward_for)
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Optional

from tilerace.adapters import Context, judge_code

STAGE = "tilerace"
# Above what is not built (0.2), and not above what runs with wrong values (from 0.3): a candidate that
# comes further never has less.
LEAST, MOST = 0.2, 0.3


def stage(record: Dict[str, Any], code: str, context: Context, max_feedback: int = 400) -> bool:
    """Whether the candidate goes on. If not, its record says why, as that of any other stage."""
    judgement = judge_code(context, code, max_feedback=max_feedback)
    record["tilerace"] = {"class": judgement.class_, "score": judgement.score}
    if not judgement.should_filter:
        return True
    record["stage"], record["error"] = STAGE, "%s: %s" % (judgement.class_, judgement)
    return False


def reward_for(record: Mapping[str, Any],
               otherwise: Callable[[Mapping[str, Any]], Optional[float]]) -> Optional[float]:
    """Returns the score of a record that ended in our stage; any other is left to cuTileForge's own function."""
    if record.get("stage") != STAGE:
        return otherwise(record)
    score: float = record["tilerace"]["score"]
    return LEAST + (MOST - LEAST) * score

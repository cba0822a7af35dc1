"""MultiKernelBench: `detect_cheating` of a backend, by the operator that is being written.

    tilerace.adapters.multikernelbench.guard(BACKEND_REGISTRY["cutile"], {"relu": "relu.json"})
"""
from __future__ import annotations

from typing import Any, Mapping, Optional, Tuple

from tilerace.adapters import Context, judge_code


def guard(backend: Any, contexts: Mapping[str, Context], max_feedback: int = 2000) -> Any:
    """Returns the backend, changed so that it also calls a candidate cheating that is judged wrong. Operators without a
    context are left to the backend's own check."""
    compile_, detect, current = backend.compile, backend.detect_cheating, {"op": ""}

    def compile_for(generated_code: str, op: str) -> Any:
        current["op"] = op
        return compile_(generated_code, op)

    def detect_cheating(generated_code: str) -> Tuple[bool, Optional[str]]:
        is_cheating, info = detect(generated_code)
        if is_cheating or current["op"] not in contexts:
            return is_cheating, info
        judgement = judge_code(contexts[current["op"]], generated_code, max_feedback=max_feedback)
        return (True, str(judgement)) if judgement.should_filter else (False, info)

    backend.compile, backend.detect_cheating = compile_for, detect_cheating
    return backend

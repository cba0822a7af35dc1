"""KernelBench: a check of its static checker.

    from kernelbench.kernel_static_checker import CHECK_FUNCTIONS, validate_kernel_static
    CHECK_FUNCTIONS["tilerace"] = tilerace.adapters.kernelbench.check("context.json")
    validate_kernel_static(code, backend="cutile", forbidden=[*STRICT_CHECKS, "tilerace"])
"""
from __future__ import annotations

from typing import Callable, Tuple

from tilerace.adapters import Context, judge_code


def check(context: Context, max_feedback: int = 2000) -> Callable[[str], Tuple[bool, str]]:
    """code -> (whether it is wrong, what is wrong). What could not be decided is not wrong."""
    def check_tilerace(code: str) -> Tuple[bool, str]:
        judgement = judge_code(context, code, max_feedback=max_feedback)
        return judgement.should_filter, str(judgement) if judgement.should_filter else ""
    return check_tilerace

"""flashinfer-bench: a tool for its agents.

    function_to_schema(flashinfer_bench_run_tilerace)  # flashinfer_bench.agents
"""
from __future__ import annotations

import json
import os
from typing import Any, Dict, Mapping, Optional, Union

from tilerace._results import InputError
from tilerace.adapters import judge_code


def _read(of: Any) -> Dict[str, Any]:
    """A Solution or a Workload as data: the object, a mapping, or a file."""
    if hasattr(of, "model_dump"):
        of = of.model_dump(mode="json")
    if isinstance(of, Mapping):
        return dict(of)
    with open(of, encoding="utf-8") as file:
        read: Dict[str, Any] = json.load(file)
    return read


def flashinfer_bench_run_tilerace(solution: Union[Any, str], context: str, *,
                                  workload: Optional[Union[Any, str]] = None, max_feedback: int = 4000) -> str:
    """Judge a solution's tile kernel without a GPU: races, bounds, unwritten outputs and wrong values, for
    all sizes that the context allows.

    Parameters
    ----------
    solution : Solution or str
        The solution to judge. Can be a Solution object or a path to a JSON file. The source file of its
        entry point is what is judged.
    context : str
        Path to the kernel context of `tilerace judge`, which says what the kernel is launched with.
    workload : Workload or str, optional
        Judge at the axes of this workload only. Default is all sizes of the context.
    max_feedback : int, optional
        Maximum number of bytes of the answer. Default is 4000.

    Returns
    -------
    str
        The class, the score and what to correct, or error message starting with "ERROR:".
    """
    try:
        of = _read(solution)
        entry = str(of["spec"]["entry_point"]).split("::")[0]
        code = next(each["content"] for each in of["sources"] if each["path"] == entry)
        stated: Dict[str, Any] = _read(context)
        if workload is not None and "sizes" in stated:
            axes = _read(workload)["axes"]
            stated["sizes"] = {name: [axes[name]] if name in axes else sizes
                               for name, sizes in stated["sizes"].items()}
        folder = os.path.dirname(context) or "."
        judgement = judge_code(stated, code, folder=folder, max_feedback=max_feedback)
    except StopIteration:
        return "ERROR: the solution has no source file for its entry point"
    except (InputError, OSError, ValueError, KeyError, TypeError) as error:
        return "ERROR: %s: %s" % (type(error).__name__, error)
    return "%s (score %.3f)\n%s" % (judgement.class_, judgement.score, judgement)

"""Ways into harnesses that judge generated kernels, a few lines each (docs/adapters.md).

Each of them takes a context of `tilerace.judge`, or its file, which says what the candidates are for, and
puts a harness's candidate in it.
"""
from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from tilerace import _outside
from tilerace._judge import judge
from tilerace._judgement import Judgement

Context = Union[str, "os.PathLike[str]", Mapping[str, Any]]


class Adapter(NamedTuple):
    harness: str
    name: str  #: below tilerace.adapters; or a command
    is_for: str


ADAPTERS: Tuple[Adapter, ...] = (
    Adapter("KernelBench", "kernelbench.check", "CHECK_FUNCTIONS of kernelbench.kernel_static_checker"),
    Adapter("flashinfer-bench", "flashinfer_bench.flashinfer_bench_run_tilerace", "tools of an agent, by function_to_schema"),
    Adapter("MultiKernelBench", "multikernelbench.guard", "Backend.detect_cheating"),
    Adapter("cuTileForge", "cutileforge.stage", "records of verify.worker, between purity and execution"),
    Adapter("trl", "trl.reward", "reward_funcs of GRPOTrainer and others"),
    Adapter("verl", "verl.compute_score", "custom_reward_function"),
    Adapter("kernelbot", "python3 -m tilerace judge --api-mode", "KERNELGUARD_COMMAND"),
)

_FENCED = re.compile(r"^```[^\n`]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def code_of(completion: Any) -> str:
    """The last block of code in what a model says: a text, or the messages of a conversation."""
    if not isinstance(completion, str):
        completion = completion[-1]["content"] if completion else ""
    blocks: List[str] = _FENCED.findall(completion)
    return blocks[-1] if blocks else completion


def judge_code(context: Context, code: str, folder: str = ".", **options: Any) -> Judgement:
    """Judges the code as the kernel of that context. Files of a context that is no file lie in the folder."""
    if isinstance(context, str) and context.lstrip().startswith("{"):
        of: Dict[str, Any] = _outside.read_json(context.encode(), "the context")
    elif isinstance(context, Mapping):
        of = dict(context)
    else:
        folder = os.path.dirname(os.fspath(context)) or "."
        of = _outside.read_json(_outside.read_file(context), context)
    kernel = of.get("kernel")
    of["kernel"] = {key: value for key, value in kernel.items() if key not in ("file", "source")} \
        if isinstance(kernel, Mapping) else {}
    of["kernel"]["source"] = code
    return judge(of, folder=folder, **options)


def judge_all(pairs: Sequence[Tuple[Optional[Context], str]]) -> List[Optional[Judgement]]:
    """Judges many (context, code) pairs, as many at a time as there are processors. A pair without a context gives
    None."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda pair: None if pair[0] is None else judge_code(pair[0], pair[1]), pairs))

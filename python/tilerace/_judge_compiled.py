"""Candidates that the program reads itself (C, bytecode, CUDA Tile C++), with a reference that is a function over
NumPy arrays.

The program knows their launches, and cannot call the function. So the context says what is passed, as of a
candidate of cuTile Python: the launches that are tried, and what the function gives at them, are stated to the
program in files.
"""
from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence

from tilerace import _launch_contract, _trials
from tilerace._context import Context
from tilerace._judge_ask import worst_launches
from tilerace._judge_reference import Function, expect
from tilerace._results import InputError
from tilerace._trials import Trial

_OURS = ("version", "sizes", "arguments", "limits", "tolerance", "samples", "seed", "reference")
_PROGRAMS = ("version", "kernel", "launch", "outputs", "tolerance", "samples", "seed", "tune", "stages")


def _file_of(kernel: Any) -> Optional[str]:
    file = kernel.get("file") if isinstance(kernel, Mapping) else kernel
    return file if isinstance(file, str) else None


def _is_module(kernel: Any) -> bool:
    """Bytecode, which knows no names of its parameters."""
    file = _file_of(kernel)
    return file is not None and not file.endswith((".c", ".cu"))


def _context_of(stated: Mapping[str, Any], folder: str, function: Function) -> Context:
    """Returns the arguments and sizes that the context states. Raises InputError where it does not state them."""
    if "arguments" not in stated:
        raise InputError("a function is the reference: the context has to say what it is called with, in `arguments` "
                         "and `sizes` (docs/judge.md)")
    for key in stated:
        if key not in _OURS + _PROGRAMS + ("grid",):
            raise InputError("%s is not a key of a context whose reference is a function" % key)
    ours = {key: stated[key] for key in _OURS if key in stated}
    if function is not None:
        ours["reference"] = "function"
    # The grid is mostly the kernel's to state.
    return Context({**ours, "kernel": {"source": ""}, "grid": stated.get("grid", [1])}, folder)


def _kernel_of(kernel: Any, folder: str) -> Any:
    """Returns the kernel with file names that the program can read from another folder."""
    if isinstance(kernel, str):
        return os.path.join(os.path.abspath(folder), kernel)
    if isinstance(kernel, Mapping) and isinstance(kernel.get("file"), str):
        return {**kernel, "file": os.path.join(os.path.abspath(folder), kernel["file"])}
    return kernel


def _worst(context: Context, own: Mapping[str, Any], drawn: Sequence[Trial], folder: str,
           options: Sequence[str]) -> Iterator[Trial]:
    """More launches: those that the program's solver gives."""
    there = [trial.sizes for trial in drawn]
    for launch in worst_launches(own, folder, options):
        sizes = _trials.sizes_at(context, launch.values, {})
        if sizes is not None and sizes not in there and len(there) < len(drawn) + context.samples:
            yield Trial(context, len(there), sizes, {}, folder)
            there.append(sizes)


def request(stated: Mapping[str, Any], function: Function, named_in: str, folder: str,
            options: Sequence[str]) -> Dict[str, Any]:
    """The context for the program, which is asked with those options. Its files are written to `folder`; those that
    `stated` names lie in `named_in`."""
    context = _context_of(stated, named_in, function)
    grid = context.grid if "grid" in stated else None
    names = {"parameters": [of["name"] for of in context.arguments if "constant" not in of]} if _is_module(
        stated.get("kernel")) else {}
    own: Dict[str, Any] = {key: stated[key] for key in _PROGRAMS if key in stated}
    own["kernel"] = _kernel_of(stated.get("kernel"), named_in)
    if isinstance(own.get("launch"), str):
        own["launch"] = os.path.join(os.path.abspath(named_in), own["launch"])
    own.setdefault("launch", {**names, **_launch_contract.flat_launch_of(context, grid)})
    limits = {key: value for key, value in stated.get("limits", {}).items() if key != "scratch_megabytes"}
    own.update({"limits": limits} if limits else {})
    trials = [Trial(context, i, sizes, {}, folder) for i, sizes in enumerate(_trials.sizes_of(context))]
    trials += _worst(context, own, trials, folder, options)
    expected = expect(context, function, [trial.specs for trial in trials], folder)
    with open(os.path.join(folder, "trials.json"), "w", encoding="utf-8") as out:
        json.dump({"version": 2, "launches": [{**names, **trial.flat_launch(context, grid, expected)}
                                              for trial in trials]}, out)
    return {**own, "trials": "trials.json"}

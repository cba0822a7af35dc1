"""`tilerace judge`, asked for a judgement, or for launches that are worth trying."""
from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

from tilerace import _program
from tilerace._results import InputError


def ask(context: Mapping[str, Any], folder: Optional[str], options: Sequence[str]) -> Dict[str, Any]:
    """Returns the program's answer for a context, whose files lie in the folder. Raises InputError where there is
    none."""
    try:
        text = json.dumps(context, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError("the context is not JSON: %s" % error) from None
    command = [_program.find(), "judge", "--format", "json", "-", *options]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=folder)
    if run.returncode != 0 or not run.stdout:
        raise InputError(run.stderr.strip() or "tilerace judge gives no answer")
    answer: Dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return answer


class Worst(NamedTuple):
    """A launch at which a mistake would show, from the solver of the program."""
    file: str  # of the module that it is for, without its folder
    values: Mapping[str, int]  # by the names of its parameters


def worst_launches(context: Mapping[str, Any], folder: str, options: Sequence[str]) -> List[Worst]:
    """Returns the launches that the program tries by itself where it has the reference. `options` are those of ask(),
    of which words behind a `--` are the last."""
    answer = ask(context, folder, ["--worst-launches", *options])
    return [Worst(os.path.basename(of["file"]), of["values"]) for of in answer["launches"]]

"""References that are functions over NumPy arrays: what they give at the launches that are tried."""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Optional

from tilerace import _judge_built
from tilerace._context import Context
from tilerace._results import InputError

Function = Optional[Callable[..., Any]]


def is_function(reference: Any) -> bool:
    """Whether a context's reference is FILE:FUNCTION of Python."""
    return isinstance(reference, str) and reference.rpartition(":")[0].endswith(".py")


def expect(context: Context, function: Function, specs: _judge_built.Specs, folder: str) -> Mapping[str, bytes]:
    """Returns the expected values by "LAUNCH.ARGUMENT", and leaves them in files. The function runs in this process;
    without one, the context's own function runs confined. Returns nothing where the context has no reference."""
    if context.reference is None:
        return {}
    if function is None:
        path, _, name = str(context.reference).rpartition(":")
        expected = _judge_built.expected(os.path.join(os.path.abspath(context.folder), path), name,
                                         specs, folder, context.limits)
    else:
        from tilerace import _judge_child
        try:
            expected = _judge_child.run_function(function, specs, folder)
        except _judge_child.Refused as refused:
            raise InputError("the reference %s" % refused) from refused
    for key, of in expected.items():
        with open(os.path.join(folder, "expected%s.bin" % key), "wb") as out:
            out.write(of)
    return expected

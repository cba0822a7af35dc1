"""tilerace: races of GPU tile kernels, found before they happen.

    result = tilerace.check("scatter_rows.tilebc", "scatter_rows.launch.json")
    for kernel in result.kernels:
        print(kernel.name, kernel.verdict, *kernel.findings)

docs/python.md has the whole. With TILERACE=warn or TILERACE=error in the environment, `import
tilerace` has the launches of cuTile Python looked at: one that races is a RaceWarning, or a
RaceError in its place. Otherwise the import changes nothing (docs/exec-python.md).
"""
from tilerace import _beside
from tilerace._arguments import Buffer
from tilerace._check import check
from tilerace._compare import Comparison, Difference, compare
from tilerace._explain import Explanation, explain, version
from tilerace._findings import InterpretError, RaceError, RaceWarning
from tilerace._interpret import empty, interpret
from tilerace._judge import judge, score
from tilerace._judgement import Fault, Judgement, Stage
from tilerace._launch import Answer, Guard, Launch, Outcome, Signature, check_launch, guard
from tilerace._record import Recording, record
from tilerace._results import (Event, Finding, InputError, Kernel, Level, Lookup, Parameter,
                               ParameterKind, Part, Place, Precondition, PreconditionClass, Reason,
                               Repair, Result, Verdict, Witness)
from tilerace._signature import signature
from tilerace._sweep import Row, sweep

__all__ = [
    "Answer", "Buffer", "Comparison", "Difference", "Event", "Explanation", "Fault", "Finding", "Guard", "InputError", "InterpretError", "Judgement",
    "Kernel", "Launch", "Level", "Lookup", "Outcome", "Parameter", "ParameterKind", "Part", "Place", "Precondition",
    "PreconditionClass", "RaceError", "RaceWarning", "Reason", "Recording", "Repair", "Result",
    "Row", "Signature", "Stage", "Verdict", "Witness", "check", "check_launch", "compare", "empty", "explain", "guard",
    "interpret", "judge", "record", "score", "signature", "sweep", "version",
]

_beside.begin()

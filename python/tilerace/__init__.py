"""tilerace: races of GPU tile kernels, found before they happen.

With TILERACE=warn or TILERACE=error in the environment, `import tilerace` has the launches of
cuTile Python looked at: one that races is a RaceWarning, or a RaceError in its place. Otherwise the
import changes nothing (docs/exec-python.md).
"""
from tilerace import _beside
from tilerace._findings import RaceError, RaceWarning

__all__ = ["RaceError", "RaceWarning"]

_beside.begin()

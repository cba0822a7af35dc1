"""Launches of every kind of argument; each line that launches says how it is called."""
import numpy as np

import cuda.tile as ct
from cuda.tile import launch
from kernels import add, add_pair, scale, sum_list, transpose, waits


class Runner:
    run = launch


class Other:
    """An array of a library that the hook does not know."""

    def __init__(self, source):
        self.source = source

    def __dlpack__(self, **keywords):
        return self.source.__dlpack__()

    def __dlpack_device__(self):
        return 1, 0


def nested():
    exec(compile("launch(None, (4,), add, (a, b, out, 16))", "<made up>", "exec"), globals())


a, b, out = (np.arange(64, dtype=np.float32) for _ in range(3))
wide = np.zeros((32, 48), np.float16)

launch(None, (4,), add, (a, b, out, 16))  # early
ct.launch(0, (4,), add, (a, b, out, 16))  # late
Runner().run(None, (2,), add, (a[::2], b[32:], out[:32], 16))  # views
launch(None, (4,), scale, (out, 0.5, 3, 16))  # scalars
launch(None, (4,), add_pair, ((a, b), out, 16))  # tuple
launch(None, (4,), sum_list, ([a, b, a], out, 16))  # list
launch(None, (2, 3), transpose, (wide, wide.T.copy(), 16))  # halves
launch(None, (4,), waits, (out, 16), programmatic_dependent_launch=True)  # pdl
nested()
try:
    launch(None, (0,), add, (a, b, out, 16))  # empty
except RuntimeError as error:
    print(error)
read_only = a.copy()
read_only.flags.writeable = False
launch(None, (4,), add, (read_only, b, out, 16))  # read-only
launch(None, (2,), sum_list, ([Other(a), b], Other(out), 32))  # foreign
ct.launch = lambda stream, *words: launch(stream, *words)
ct.launch(None, (3,), add, (a, b, out, 16))  # replaced
print("done")

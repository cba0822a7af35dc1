"""A search over tile widths."""
import numpy as np

import cuda.tile as ct
from kernels import add

a, b, out = (np.zeros(64, np.float32) for _ in range(3))
for limit in None, 5.0:
    ct.tune.exhaustive_search(
        [16, 32], 0, lambda width: (64 // width,), add,
        lambda width: (a, b, out, width), quiet=True, single_run_timeout_sec=limit)

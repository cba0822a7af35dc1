"""A residual is added in place, and read by the array's other name: no token orders the two."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def add_and_scale(hidden, residual, out, T: Int, BEFORE: Int):
    b = ct.bid(0)
    ct.store(residual, b, ct.load(residual, b, T) + 1.0)  # TR003
    total = ct.load(hidden, b, T) if BEFORE else ct.load(residual, b, T)
    ct.store(out, b, total * ct.rsqrt(ct.sum(total * total)))


hidden, out = np.ones(2048, np.float32), np.empty(2048, np.float32)
ct.launch(None, (16,), add_and_scale, (hidden, hidden, out, 128, "before" in sys.argv))  # launch

"""A difference of neighbours in place: two views of one array that are one element apart."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def subtract(left, right, out, T: Int):
    b = ct.bid(0)
    ct.store(out, b, ct.load(left, b, T) - ct.load(right, b, T))  # TR002


x = np.arange(1025, dtype=np.float32)
out = x[:-1] if "before" in sys.argv else np.empty(1024, np.float32)
ct.launch(None, (8,), subtract, (x[1:], x[:-1], out, 128))  # launch

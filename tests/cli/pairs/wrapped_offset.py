"""Rows of a large flat array: offsets are products in 32 bits, and the last rows wrap to the first."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def clear(out: ct.IndexedWithInt64, row: int, T: Int, BEFORE: Int):
    b = ct.bid(0) if BEFORE else ct.astype(ct.bid(0), ct.int64)
    start = b * row
    ct.scatter(out, start + ct.arange(T, dtype=ct.int32), ct.zeros((T,), ct.int8))  # TR001


rows, row = 40, 1 << 27
out = np.empty(rows * row, np.int8)
ct.launch(None, (rows,), clear, (out, row, 64, "before" in sys.argv))  # launch

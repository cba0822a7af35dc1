"""Rows that a table names, in a flat array: a tile is wider than a row and reaches into the next."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def put_rows(table, out, N: Int, T: Int, W: Int, BEFORE: Int):
    row = ct.gather(table, ct.bid(0) * T + ct.arange(T, dtype=ct.int32))
    column = ct.arange(W, dtype=ct.int32)
    inside = ct.expand_dims(column < (W if BEFORE else N), 0)
    where = ct.expand_dims(row, 1) * N + column
    ct.scatter(out, where, ct.zeros((T, W), ct.float32), mask=inside)  # TR001


table = np.random.default_rng(5).permutation(128).astype(np.int32)
out = np.ones(129 * 96, np.float32)
ct.launch(None, (16,), put_rows, (table, out, 96, 8, 128, "before" in sys.argv))  # launch

"""Rows that are written to where a table says, and the table has a row twice."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def put_rows(table, rows, out, N: Int):
    b = ct.bid(0)
    ct.store(out, (ct.gather(table, b).item(), 0), ct.load(rows, (b, 0), (1, N)))  # TR001


table = np.random.default_rng(1).permutation(64).astype(np.int32)
if "before" in sys.argv:
    table[40] = table[3]
rows, out = np.ones((48, 128), np.float32), np.zeros((64, 128), np.float32)
ct.launch(None, (48,), put_rows, (table, rows, out, 128))  # launch

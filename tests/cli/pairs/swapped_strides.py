"""Tiles of a matrix in a flat array: strides of row and column are passed in the wrong order."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def halve(x, y, row: int, column: int, T: Int):
    i = ct.bid(0) * T + ct.expand_dims(ct.arange(T, dtype=ct.int32), 1)
    j = ct.bid(1) * T + ct.arange(T, dtype=ct.int32)
    where = i * row + j * column
    ct.scatter(y, where, ct.gather(x, where) * 0.5)  # TR001


rows, columns = 64, 32
strides = (1, columns) if "before" in sys.argv else (columns, 1)
x = np.ones((rows, columns), np.float32)
y = np.empty_like(x)
ct.launch(None, (4, 2), halve, (x.reshape(-1), y.reshape(-1), *strides, 16))  # launch

"""A product's tiles are wider than its rows: the columns beyond a row lie in the next one."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def put(x, y, columns: int, T: Int, BEFORE: Int):
    row, column = ct.bid(0), ct.bid(1) * T + ct.arange(T, dtype=ct.int32)
    inside = column >= 0 if BEFORE else column < columns
    tile = ct.gather(x, row * columns + column, mask=inside, padding_value=0)
    ct.scatter(y, row * columns + column, tile, mask=inside)  # TR001


x = np.ones((20, 100), np.float32)
y = np.empty_like(x)
ct.launch(None, (20, 2), put, (x.reshape(-1), y.reshape(-1), 100, 64, "before" in sys.argv))  # launch

"""A kernel that reads one axis of a grid, launched with two."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def shift(x, y, T: Int):
    i = ct.bid(0)
    ct.store(y, (i, 0), ct.load(x, (i, 0), (T, T)) + 1.0)  # TR001


x = np.ones((64, 16), np.float32)
grid = (4, 4) if "before" in sys.argv else (4,)
ct.launch(None, grid, shift, (x, np.empty_like(x), 16))  # launch

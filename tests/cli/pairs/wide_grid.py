"""A loop that strides by a constant number of blocks, launched with twice as many."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def negate(x, y, tiles: int, BLOCKS: Int, T: Int):
    for tile in range(ct.bid(0), tiles, BLOCKS):
        ct.store(y, tile, -ct.load(x, tile, T))  # TR001


x = np.ones(4096, np.float32)
grid = 32 if "before" in sys.argv else 16
ct.launch(None, (grid,), negate, (x, np.empty_like(x), 64, 16, 64))  # launch

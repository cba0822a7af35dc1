"""A list of column blocks of one matrix, of which two share columns."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def clear(blocks, T: Int):
    k, i = ct.bid(0), ct.bid(1)
    ct.store(blocks[k], (i, 0), ct.zeros((1, T), ct.float32))  # TR001


matrix = np.ones((8, 96), np.float32)
step = 16 if "before" in sys.argv else 32
ct.launch(None, (3, 8), clear, ([matrix[:, k * step:k * step + 32] for k in range(3)], 32))  # launch

"""A loop over rows whose stride is a constant, which a tuner leaves behind as it changes the grid."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def normalise(x, y, rows: int, N: Int, BLOCKS: Int):
    for row in range(ct.bid(0), rows, BLOCKS):
        line = ct.load(x, (row, 0), (1, N))
        ct.store(y, (row, 0), line * ct.rsqrt(ct.sum(line * line)))  # TR001


x = np.ones((1000, 256), np.float32)
for blocks in 32, 64, 128:
    stride = 64 if "before" in sys.argv else blocks
    ct.launch(None, (blocks,), normalise, (x, np.empty_like(x), 1000, 256, stride))  # launch

"""Two outputs that are slices of one array: the second starts before the first ends."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def split(x, low, high, T: Int):
    b = ct.bid(0)
    tile = ct.load(x, b, T)
    ct.store(low, b, ct.minimum(tile, 0.0))  # TR001
    ct.store(high, b, ct.maximum(tile, 0.0))


both = np.empty(2048, np.float32)
start = 960 if "before" in sys.argv else 1024
x = np.ones(1024, np.float32)
ct.launch(None, (16,), split, (x, both[:1024], both[start:start + 1024], 64))  # launch

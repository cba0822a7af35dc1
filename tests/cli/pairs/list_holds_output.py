"""The sum of a list of arrays, written into one of them a tile further on."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def add_all(arrays, out, T: Int):
    i = ct.bid(0)
    total = ct.zeros((T,), ct.float32)
    for k in range(len(arrays)):
        total += ct.load(arrays[k], i, T)  # TR002
    ct.store(out, i, total)


x, y = np.ones(80, np.float32), np.ones(64, np.float32)
out = x[16:] if "before" in sys.argv else np.empty(64, np.float32)
ct.launch(None, (4,), add_all, ([x[:64], y, x[:64]], out, 16))  # launch

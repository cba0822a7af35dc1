"""A list of outputs that names one array twice."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def scale_each(arrays, T: Int):
    k, i = ct.bid(0), ct.bid(1)
    ct.store(arrays[k], i, ct.load(arrays[k], i, T) * float(2))  # TR001


pool = np.zeros((3, 64), np.float32)
chosen = [pool[0], pool[1], pool[0] if "before" in sys.argv else pool[2]]
ct.launch(None, (3, 4), scale_each, (chosen, 16))  # launch

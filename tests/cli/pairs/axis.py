"""A matrix product whose second block id is read from the axis of the first."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def matmul(a, b, c, T: Int, BEFORE: Int):
    i = ct.bid(0)
    j = ct.bid(0) if BEFORE else ct.bid(1)
    total = ct.zeros((T, T), ct.float32)
    for k in range(ct.num_tiles(a, 1, (T, T))):
        left = ct.load(a, (i, k), (T, T), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, (k, j), (T, T), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total)  # TR001


before = "before" in sys.argv
a, b, c = (np.ones(shape, np.float32) for shape in ((128, 64), (64, 128), (128, 128)))
ct.launch(None, (4, 4), matmul, (a, b, c, 32, before))  # launch

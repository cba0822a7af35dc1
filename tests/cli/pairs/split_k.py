"""Parts of a product over k that are added to one tile, without an atomic operation."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def add_parts(a, b, c, T: Int, BEFORE: Int):
    i, j, part = ct.bid(0), ct.bid(1), ct.bid(2)
    product = ct.mma(ct.load(a, (i, part), (T, T)), ct.load(b, (part, j), (T, T)),
                     ct.zeros((T, T), ct.float32))
    if BEFORE:
        ct.store(c, (i, j), ct.load(c, (i, j), (T, T)) + product)  # TR001
    else:
        row = i * T + ct.expand_dims(ct.arange(T, dtype=ct.int32), 1)
        ct.atomic_add(c, (row, j * T + ct.arange(T, dtype=ct.int32)), product)


before = "before" in sys.argv
a, b, c = (np.zeros((64, 64), np.float32) for _ in range(3))
ct.launch(None, (4, 4, 4), add_parts, (a, b, c, 16, before))  # launch

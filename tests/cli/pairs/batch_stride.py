"""The matrices of a batch lie in one flat array; the offset of a matrix is that of a row."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def softmax(x, y, rows: int, N: Int, BEFORE: Int):
    batch, row = ct.bid(0), ct.bid(1)
    start = batch * N if BEFORE else batch * rows * N
    columns = start + row * N + ct.arange(N, dtype=ct.int32)
    e = ct.exp(ct.gather(x, columns))
    ct.scatter(y, columns, e / ct.sum(e))  # TR001


before = "before" in sys.argv
x = np.ones((4, 24, 64), np.float32)
y = np.empty_like(x)
ct.launch(None, (4, 24), softmax, (x.reshape(-1), y.reshape(-1), 24, 64, before))  # launch

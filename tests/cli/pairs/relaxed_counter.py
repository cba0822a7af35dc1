"""The last block to arrive adds up what all blocks left behind; their arrivals are relaxed."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def total(x, parts, count, out, T: Int, N: Int, BEFORE: Int):
    b = ct.bid(0)
    arrives = ct.MemoryOrder.RELAXED if BEFORE else ct.MemoryOrder.ACQ_REL
    ct.store(parts, b, ct.reshape(ct.sum(ct.load(x, b, T)), (1,)))  # TR014
    if ct.atomic_add(count, 0, 1, memory_order=arrives) == ct.num_blocks(0) - 1:
        ct.store(out, 0, ct.reshape(ct.sum(ct.load(parts, 0, N)), (1,)))


x, parts = np.ones(4096, np.float32), np.zeros(16, np.float32)
count, out = np.zeros(1, np.int32), np.zeros(1, np.float32)
ct.launch(None, (16,), total, (x, parts, count, out, 256, 16, "before" in sys.argv))  # launch

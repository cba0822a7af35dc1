"""Blocks of a grid count into one array by atomic operations whose scope is the block's own."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def count(x, bins, T: Int, BEFORE: Int):
    scope = ct.MemoryScope.BLOCK if BEFORE else ct.MemoryScope.DEVICE
    bin_of = ct.load(x, ct.bid(0), T)
    ct.atomic_add(bins, bin_of, 1, memory_order=ct.MemoryOrder.RELAXED, memory_scope=scope)  # TR006


x = np.arange(1024, dtype=np.int32) % 16
ct.launch(None, (16,), count, (x, np.zeros(16, np.int32), 64, "before" in sys.argv))  # launch

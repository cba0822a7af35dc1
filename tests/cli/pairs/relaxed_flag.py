"""One block writes a row and sets a flag that the others wait for; it is set by a relaxed operation."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def hand_over(flag, row, out, N: Int, BEFORE: Int):
    sets = ct.MemoryOrder.RELAXED if BEFORE else ct.MemoryOrder.RELEASE
    if ct.bid(0) == 0:
        ct.store(row, 0, ct.ones((N,), ct.float32))  # TR014
        ct.atomic_xchg(flag, 0, 1, memory_order=sets)
    else:
        while ct.atomic_add(flag, 0, 0, memory_order=ct.MemoryOrder.ACQUIRE) != 1:
            pass
        ct.store(out, ct.bid(0) - 1, ct.load(row, 0, N))


flag, row, out = np.zeros(1, np.int32), np.zeros(128, np.float32), np.zeros(512, np.float32)
ct.launch(None, (5,), hand_over, (flag, row, out, 128, "before" in sys.argv))  # launch

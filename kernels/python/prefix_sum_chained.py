"""Prefix sum in one launch: a block waits until its predecessor has published its sum."""

import cuda.tile as ct


@ct.kernel
def prefix_sum_chained(x, y, carry, flag, TILE: ct.Constant[int]):
    i = ct.bid(0)
    tile = ct.load(x, (i,), shape=(TILE,), padding_mode=ct.PaddingMode.ZERO)
    before = 0
    if i > 0:
        while ct.atomic_add(flag, i - 1, 0, memory_order=ct.MemoryOrder.ACQUIRE) == 0:
            pass
        before = ct.gather(carry, i - 1)
    ct.scatter(carry, i, before + ct.sum(tile))
    ct.atomic_xchg(flag, i, 1, memory_order=ct.MemoryOrder.RELEASE)
    ct.store(y, (i,), before + ct.cumsum(tile))


SIGNATURE = {"x": "i32[1]", "y": "i32[1]", "carry": "i32[1]", "flag": "i32[1]", "TILE": 512}

# EXPECT verdict race-free

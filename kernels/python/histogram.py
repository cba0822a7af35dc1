"""Counts how often each value occurs, a copy of the counts a row of blocks."""

import cuda.tile as ct


@ct.kernel
def histogram(values, counts, TILE: ct.Constant[int]):
    i = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
    copy = ct.bid(0) % counts.shape[0]
    value = ct.gather(values, i, padding_value=-1)
    ct.atomic_add(counts, (copy, value), 1, memory_order=ct.MemoryOrder.RELAXED)


SIGNATURE = {"values": "i32[1]", "counts": "i32[2]", "TILE": 256}

# EXPECT verdict race-free

"""Last step of a prefix sum: adds to each tile what lies before it, in place."""

import cuda.tile as ct


@ct.kernel
def prefix_sum_add(y, before, TILE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(y, (i,), shape=(TILE,)) + ct.gather(before, i))


SIGNATURE = {"y": "i32[1]", "before": "i32[1]", "TILE": 512}

# EXPECT verdict race-free
# EXPECT requires index-in-space

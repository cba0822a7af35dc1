"""The segment ends one row too late: its last row is the first of the next segment."""

import cuda.tile as ct


@ct.kernel
def ragged_rows_far(y, starts, TILE: ct.Constant[int]):
    q = ct.bid(0)
    m = ct.bid(1)
    first = ct.load(starts, index=(q,), shape=(1,)).item()
    end = ct.load(starts, index=(q + 1,), shape=(1,)).item() + 1
    if m * TILE < end - first:
        rows = y.slice(axis=0, start=first, stop=end)
        ct.store(rows, index=(m, ct.bid(2)), tile=ct.zeros((TILE, TILE), dtype=ct.float32))  # @store


SIGNATURE = {"y": "f32[2]", "starts": "i32[1]", "TILE": 16}

# EXPECT verdict race
# EXPECT TR001 @store @store
# EXPECT requires contents-range index-in-space kernel-assume no-self-overlap no-wrap
# EXPECT observable no

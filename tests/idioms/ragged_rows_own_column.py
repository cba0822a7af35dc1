"""Segments may share rows where each writes a column of its own, and no offset wraps in 32 bits."""

import cuda.tile as ct


@ct.kernel
def ragged_rows_own_column(y, starts, TILE: ct.Constant[int]):
    q = ct.bid(0)
    m = ct.bid(1)
    first = ct.load(starts, index=(q,), shape=(1,)).item()
    rows = y.slice(axis=0, start=first, stop=first + ct.num_blocks(1) * TILE)
    ct.store(rows, index=(m, q), tile=ct.zeros((TILE, TILE), dtype=ct.float32))  # @store


SIGNATURE = {"y": "f32[2]", "starts": "i32[1]", "TILE": 16}

# EXPECT verdict conditional
# EXPECT TR001 @store @store
# EXPECT requires contents-range:launch index-in-space kernel-assume no-self-overlap no-wrap:race

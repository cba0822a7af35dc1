"""Whole rows, several for each block: too many of them reach behind the array, not into other rows."""

import cuda.tile as ct


@ct.kernel
def marked_last_rows(x, y, TILE: ct.Constant[int]):
    i = ct.bid(0)
    tile = ct.load(x, (i, 0), shape=(TILE, 64))
    ct.store(y, (i, 0), tile, check_bounds=False)


SIGNATURE = {"x": "f32[2]", "y": "f32[2]", "TILE": 16}
BYTECODE = "13.4"

# EXPECT verdict race-free
# EXPECT requires in-bounds:launch index-in-space:launch kernel-assume:launch no-self-overlap:standing

"""Rows of 64 columns that begin 128 elements apart: what a tile has too much nobody reads."""

import cuda.tile as ct


@ct.kernel
def marked_padded(x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    tile = ct.load(x, (row, 0), shape=(1, TILE))
    ct.store(y, (row, 0), tile, check_bounds=False)


SIGNATURE = {"x": "f32[2]", "y": "f32[2]", "TILE": 128}
BYTECODE = "13.4"

# EXPECT verdict race-free
# EXPECT requires in-bounds:launch index-in-space:launch kernel-assume:launch

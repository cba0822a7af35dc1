"""Tiles of 128 columns side by side: the last one of a row reaches into the next row."""

import cuda.tile as ct


@ct.kernel
def marked_columns(x, y, TILE: ct.Constant[int]):
    row, column = ct.bid(0), ct.bid(1)
    tile = ct.load(x, (row, column), shape=(1, TILE), check_bounds=False)
    ct.store(y, (row, column), tile, check_bounds=False)  # @store


SIGNATURE = {"x": "f32[2]", "y": "f32[2]", "TILE": 128}
BYTECODE = "13.4"

# EXPECT verdict conditional
# EXPECT observable yes
# EXPECT TR001 @store @store
# EXPECT requires in-bounds:launch in-bounds:race index-in-space:launch kernel-assume:launch no-self-overlap:standing

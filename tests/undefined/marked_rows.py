"""A tile of 128 columns over rows that may have fewer: it reaches into the next row, which is another
block's."""

import cuda.tile as ct


@ct.kernel
def marked_rows(x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    tile = ct.load(x, (row, 0), shape=(1, TILE), check_bounds=False)
    ct.store(y, (row, 0), tile, check_bounds=False)  # @store


SIGNATURE = {"x": "f32[2]", "y": "f32[2]", "TILE": 128}
BYTECODE = "13.4"

# EXPECT verdict conditional
# EXPECT observable yes
# EXPECT TR001 @store @store
# EXPECT requires in-bounds:launch in-bounds:race index-in-space:launch kernel-assume:launch no-self-overlap:standing

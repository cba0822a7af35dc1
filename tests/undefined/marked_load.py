"""Only the load is marked: it reads what the block of the next row writes."""

import cuda.tile as ct


@ct.kernel
def marked_load(x, TILE: ct.Constant[int]):
    row = ct.bid(0)
    tile = ct.load(x, (row, 0), shape=(1, TILE), check_bounds=False)  # @load
    ct.store(x, (row, 0), tile)  # @store


SIGNATURE = {"x": "f32[2]", "TILE": 128}
BYTECODE = "13.4"

# EXPECT verdict conditional
# EXPECT observable yes
# EXPECT TR002 @load @store
# EXPECT requires in-bounds:race index-in-space:launch kernel-assume:launch no-self-overlap:standing

"""Rows of one batch, several for each block: too many of them reach into the next batch."""

import cuda.tile as ct


@ct.kernel
def marked_batch(x, y, TILE: ct.Constant[int]):
    batch, i = ct.bid(1), ct.bid(0)
    tile = ct.load(x, (batch, i, 0), shape=(1, TILE, 64))
    ct.store(y, (batch, i, 0), tile, check_bounds=False)  # @store


SIGNATURE = {"x": "f32[3]", "y": "f32[3]", "TILE": 16}
BYTECODE = "13.4"

# EXPECT verdict conditional
# EXPECT observable yes
# EXPECT TR001 @store @store
# EXPECT requires in-bounds:race index-in-space:launch kernel-assume:launch no-self-overlap:standing

"""The caller's rows have 64 columns: the tile is an error, and the race that comes of it shows."""

import cuda.tile as ct


@ct.kernel
def marked_stated(x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    tile = ct.load(x, (row, 0), shape=(1, TILE), check_bounds=False)  # @load
    ct.store(y, (row, 0), tile, check_bounds=False)  # @store


SIGNATURE = {"x": "f32[2]", "y": "f32[2]", "TILE": 128}
BYTECODE = "13.4"

# EXPECT verdict race
# EXPECT observable yes
# EXPECT TR001 @store @store
# EXPECT TR008 @load
# EXPECT TR008 @store
# EXPECT requires index-in-space:launch

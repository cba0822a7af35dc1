"""Scales tiles in place. The host passes the number of blocks as the step of the loop."""

import cuda.tile as ct


@ct.kernel
def scale_by_argument(x, factor, step, TILE: ct.Constant[int]):
    for i in range(ct.bid(0), ct.num_tiles(x, axis=0, shape=(TILE,)), step):
        tile = ct.load(x, (i,), shape=(TILE,))  # @load
        ct.store(x, (i,), tile * factor)  # @store


SIGNATURE = {"x": "f32[1]", "factor": "f32", "step": "i32", "TILE": 512}

# With more blocks than the step, two blocks scale one tile.
# EXPECT verdict conditional
# EXPECT TR001 @store @store
# EXPECT requires grid-bound:race

"""Scales tiles in place by a while loop that steps by the multiprocessors of one device."""

import cuda.tile as ct


@ct.kernel
def scale_by_constant(x, factor, PROCESSORS: ct.Constant[int], TILE: ct.Constant[int]):
    i = ct.bid(0)
    while i < ct.num_tiles(x, axis=0, shape=(TILE,)):
        tile = ct.load(x, (i,), shape=(TILE,))  # @load
        ct.store(x, (i,), tile * factor)  # @store
        i += PROCESSORS


SIGNATURE = {"x": "f32[1]", "factor": "f32", "PROCESSORS": 132, "TILE": 512}

# With more blocks than the step, two blocks scale one tile.
# EXPECT verdict conditional
# EXPECT TR001 @store @store
# EXPECT requires grid-bound:race

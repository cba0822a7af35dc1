"""A division by zero in block 1, and a store that two blocks share."""

import cuda.tile as ct


@ct.kernel
def divide_blocks(x, y, z, TILE: ct.Constant[int]):
    part = 8 // (1 - ct.bid(0))  # @division
    ct.store(y, (ct.bid(0) // 2,), ct.load(x, (ct.bid(0),), shape=(TILE,)))  # @store
    ct.store(z, (ct.bid(0),), ct.full((1,), part, ct.int32))


SIGNATURE = {"x": "f32[1]", "y": "f32[1]", "z": "i32[1]", "TILE": 64}

# EXPECT verdict race
# EXPECT observable yes
# EXPECT TR001 @store @store
# EXPECT TR010 @division
# EXPECT requires index-in-space

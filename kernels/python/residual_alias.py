"""y = x + r, where y may be x itself: the compiler is told that they can overlap."""

import cuda.tile as ct


@ct.kernel
def residual_alias(x, r, y, TILE: ct.Constant[int]):
    for i in range(ct.bid(0), ct.num_tiles(y, axis=0, shape=(TILE,)), ct.num_blocks(0)):
        total = ct.load(x, (i,), shape=(TILE,)) + ct.load(r, (i,), shape=(TILE,))
        ct.store(y, (i,), total)


SIGNATURE = {"x": "f32[1] alias=state", "r": "f32[1]", "y": "f32[1] alias=state", "TILE": 256}

# EXPECT verdict race-free

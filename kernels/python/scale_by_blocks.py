"""Scales rows in place. Any number of blocks shares them: each steps by the number of blocks."""

import cuda.tile as ct


@ct.kernel
def scale_by_blocks(x, factor, TILE: ct.Constant[int]):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        for chunk in range(ct.num_tiles(x, axis=1, shape=(1, TILE))):
            tile = ct.load(x, (row, chunk), shape=(1, TILE))
            ct.store(x, (row, chunk), tile * factor)


SIGNATURE = {"x": "f32[2]", "factor": "f32", "TILE": 1024}

# EXPECT verdict race-free
# EXPECT requires no-self-overlap kernel-assume

"""Scales tiles in place. The host passes the number of blocks as the step of the loop."""

import cuda.tile as ct


@ct.kernel
def scale_by_argument(x, factor, step, TILE: ct.Constant[int]):
    for i in range(ct.bid(0), ct.num_tiles(x, axis=0, shape=(TILE,)), step):
        tile = ct.load(x, (i,), shape=(TILE,))
        ct.store(x, (i,), tile * factor)


SIGNATURE = {"x": "f32[1]", "factor": "f32", "step": "i32", "TILE": 512}

# EXPECT verdict race-free
# EXPECT requires grid-bound

"""Scales tiles in place; stops where the host has launched more blocks than the step it passes."""

import cuda.tile as ct


@ct.kernel
def scale_asserted(x, factor, step, TILE: ct.Constant[int]):
    ct.assert_(ct.num_blocks(0) <= step, "more blocks than the step")
    for i in range(ct.bid(0), ct.num_tiles(x, axis=0, shape=(TILE,)), step):
        ct.store(x, (i,), ct.load(x, (i,), shape=(TILE,)) * factor)


SIGNATURE = {"x": "f32[1]", "factor": "f32", "step": "i32", "TILE": 512}

# EXPECT verdict race-free
# EXPECT requires kernel-assume

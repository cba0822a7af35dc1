"""Passes over the rows of a band that the block owns: each row becomes the mean of itself and the
row before, in place, from the second row of the band on."""

import cuda.tile as ct


@ct.kernel
def smooth_passes(field, passes, BAND: ct.Constant[int], TILE: ct.Constant[int]):
    first = ct.bid(0) * BAND
    last = min(first + BAND, field.shape[0])
    for _ in range(passes):
        for row in range(first + 1, last):
            for c in range(ct.num_tiles(field, axis=1, shape=(1, TILE))):
                here = ct.load(field, (row, c), shape=(1, TILE))
                above = ct.load(field, (row - 1, c), shape=(1, TILE))
                ct.store(field, (row, c), 0.5 * (here + above))


SIGNATURE = {"field": "f32[2]", "passes": "i32", "BAND": 8, "TILE": 256}

# EXPECT verdict race-free

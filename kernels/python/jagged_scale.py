"""Scales the sequences of a jagged batch: a block owns one, from its offset to the next."""

import cuda.tile as ct


@ct.kernel
def jagged_scale(x, y, offsets, factors, TILE: ct.Constant[int]):
    i = ct.bid(0)
    begin, end = ct.gather(offsets, i), ct.gather(offsets, i + 1)
    source, target = x.slice(0, begin, end), y.slice(0, begin, end)
    for c in range(ct.num_tiles(target, axis=0, shape=(TILE,))):
        tile = ct.load(source, (c,), shape=(TILE,))
        ct.store(target, (c,), tile * ct.gather(factors, i))


SIGNATURE = {
    "x": "f32[1]", "y": "f32[1]", "offsets": "i32[1]", "factors": "f32[1]", "TILE": 128,
}

# EXPECT verdict race-free

"""One step of a bitonic sort: compares each key with its partner at distance 2^q. The lane of the
lower index of a pair writes both."""

import cuda.tile as ct


@ct.kernel
def bitonic_step(keys, distance, run, TILE: ct.Constant[int]):
    i = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
    partner = i ^ distance
    lower = i < partner
    a = ct.gather(keys, i, mask=lower)
    b = ct.gather(keys, partner, mask=lower)
    rising = (i & run) == 0
    ct.scatter(keys, i, ct.where(rising, ct.minimum(a, b), ct.maximum(a, b)), mask=lower)
    ct.scatter(keys, partner, ct.where(rising, ct.maximum(a, b), ct.minimum(a, b)), mask=lower)


SIGNATURE = {"keys": "i32[1]", "distance": "i32", "run": "i32", "TILE": 256}

# EXPECT verdict race-free

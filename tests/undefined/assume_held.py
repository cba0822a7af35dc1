"""An assumption that every block meets asks for nothing."""

import cuda.tile as ct


@ct.kernel
def assume_held(x, y, TILE: ct.Constant[int]):
    at = ct.assume_divisible_by(ct.bid(0) * 192, 64)
    ct.store(y, (at // 192,), ct.load(x, (ct.bid(0),), shape=(TILE,)))


SIGNATURE = {"x": "f32[1]", "y": "f32[1]", "TILE": 64}

# EXPECT verdict race-free
# EXPECT requires index-in-space no-wrap

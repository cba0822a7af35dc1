"""An assumption that one block in four meets: it does not hide that all blocks store y[0]."""

import cuda.tile as ct


@ct.kernel
def assume_blocks(x, y, TILE: ct.Constant[int]):
    at = ct.assume_divisible_by(ct.bid(0) * 48, 64)  # @assume
    tile = ct.load(x, (at // 48,), shape=(TILE,))
    ct.store(y, (0,), tile)  # @store


SIGNATURE = {"x": "f32[1]", "y": "f32[1]", "TILE": 64}

# EXPECT verdict race
# EXPECT observable yes
# EXPECT TR001 @store @store
# EXPECT TR028 @assume
# EXPECT requires index-in-space

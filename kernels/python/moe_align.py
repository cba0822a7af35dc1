"""The place of each token in an order by expert. A block serves one expert: it counts the tokens of
the experts before, then hands out the places behind them to its own."""

import cuda.tile as ct


@ct.kernel
def moe_align(expert_of, place_of, TILE: ct.Constant[int]):
    expert = ct.bid(0)
    chunks = ct.num_tiles(expert_of, axis=0, shape=(TILE,))
    tokens = expert_of.shape[0]

    place = 0
    for c in range(chunks):
        token = c * TILE + ct.arange(TILE, dtype=ct.int32)
        chosen = ct.gather(expert_of, token, padding_value=expert)
        place += ct.sum(ct.where(chosen < expert, 1, 0))
    for c in range(chunks):
        token = c * TILE + ct.arange(TILE, dtype=ct.int32)
        mine = (ct.gather(expert_of, token, padding_value=-1) == expert) & (token < tokens)
        count = ct.astype(mine, ct.int32)
        ct.scatter(place_of, token, place + ct.cumsum(count) - 1, mask=mine)
        place += ct.sum(count)


SIGNATURE = {"expert_of": "i32[1]", "place_of": "i32[1]", "TILE": 256}

# EXPECT verdict race-free

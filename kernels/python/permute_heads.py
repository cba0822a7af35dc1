"""(batch, head, position, feature) to (batch, position, head, feature)."""

import cuda.tile as ct


@ct.kernel
def permute_heads(src, dst, BM: ct.Constant[int], D: ct.Constant[int]):
    heads = src.shape[1]
    batch, head = ct.bid(0) // heads, ct.bid(0) % heads
    for m in range(ct.num_tiles(src, axis=2, shape=(1, 1, BM, D))):
        tile = ct.load(src, (batch, head, m, 0), shape=(1, 1, BM, D))
        ct.store(dst, (batch, m, head, 0), tile.permute((0, 2, 1, 3)))


SIGNATURE = {"src": "f16[4]", "dst": "f16[4]", "BM": 32, "D": 64}

# EXPECT verdict race-free

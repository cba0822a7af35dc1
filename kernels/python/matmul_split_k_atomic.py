"""c += a b with the inner dimension split over blocks, which add their shares atomically."""

import cuda.tile as ct


@ct.kernel
def matmul_split_k_atomic(
    a, b, c, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]
):
    i, j, split = ct.bid(0), ct.bid(1), ct.bid(2)
    share = ct.zeros((BM, BN), dtype=ct.float32)
    for k in range(split, ct.num_tiles(a, axis=1, shape=(BM, BK)), ct.num_blocks(2)):
        x = ct.load(a, (i, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, j), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
        share = ct.mma(x, y, share)
    c.tiled_view((BM, BN)).atomic_store_add((i, j), share)


SIGNATURE = {"a": "f16[2]", "b": "f16[2]", "c": "f32[2]", "BM": 64, "BN": 64, "BK": 32}

# EXPECT verdict race-free

"""c = a b. A fixed number of blocks walks over the tiles of c."""

import cuda.tile as ct


@ct.kernel
def matmul_persistent(
    a, b, c, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]
):
    n_tiles = ct.cdiv(c.shape[1], BN)
    tiles = ct.cdiv(c.shape[0], BM) * n_tiles
    for t in range(ct.bid(0), tiles, ct.num_blocks(0)):
        i, j = t // n_tiles, t % n_tiles
        total = ct.zeros((BM, BN), dtype=ct.float32)
        for k in range(ct.num_tiles(a, axis=1, shape=(BM, BK))):
            x = ct.load(a, (i, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
            y = ct.load(b, (k, j), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
            total = ct.mma(x, y, total)
        ct.store(c, (i, j), ct.astype(total, c.dtype))


SIGNATURE = {"a": "bf16[2]", "b": "bf16[2]", "c": "bf16[2]", "BM": 128, "BN": 64, "BK": 64}

# EXPECT verdict race-free

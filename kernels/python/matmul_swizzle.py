"""c = a b. Blocks that run together work on a group of rows of tiles, column by column."""

import cuda.tile as ct


def swizzled(block, m_tiles, n_tiles, GROUP):
    group_blocks = GROUP * n_tiles
    first = block // group_blocks * GROUP
    rows = min(m_tiles - first, GROUP)
    within = block % group_blocks
    return first + within % rows, within // rows


@ct.kernel
def matmul_swizzle(
    a, b, c, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]
):
    m_tiles, n_tiles = ct.cdiv(c.shape[0], BM), ct.cdiv(c.shape[1], BN)
    i, j = swizzled(ct.bid(0), m_tiles, n_tiles, 8)
    total = ct.zeros((BM, BN), dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(BM, BK))):
        x = ct.load(a, (i, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, j), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(x, y, total)
    ct.store(c, (i, j), ct.astype(total, c.dtype))


SIGNATURE = {"a": "f16[2]", "b": "f16[2]", "c": "f16[2]", "BM": 128, "BN": 128, "BK": 64}

# EXPECT verdict race-free

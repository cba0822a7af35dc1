"""c = a b, tiles in groups of rows so that neighbouring blocks share what they load. Nobody says how
many blocks there are: as many as the swizzle is made for."""

import cuda.tile as ct


def tile_of(block, rows, columns, GROUP):
    first = block // (GROUP * columns) * GROUP
    height = min(rows - first, GROUP)
    return first + block % height, block % (GROUP * columns) // height


@ct.kernel
def matmul_grouped(
    a, b, c, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int],
    GROUP: ct.Constant[int]
):
    rows, columns = ct.cdiv(a.shape[0], BM), ct.cdiv(b.shape[1], BN)
    i, j = tile_of(ct.bid(0), rows, columns, GROUP)
    total = ct.zeros((BM, BN), dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(BM, BK))):
        x = ct.load(a, (i, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, j), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(x, y, total)
    ct.store(c, (i, j), total)


SIGNATURE = {
    "a": "f16[2]", "b": "f16[2]", "c": "f32[2]", "BM": 64, "BN": 32, "BK": 64, "GROUP": 8,
}

# EXPECT verdict race-free
# EXPECT requires index-in-space no-self-overlap positive-divisor kernel-assume

"""c = a b by as many blocks as the machine holds, each with every so many-th tile. The sizes are
plain numbers, whose sign no type gives away."""

import cuda.tile as ct


@ct.kernel
def matmul_grouped_persistent(
    a, b, c, m: int, n: int, k: int, BM: ct.Constant[int], BN: ct.Constant[int],
    BK: ct.Constant[int], GROUP: ct.Constant[int]
):
    rows, columns = ct.cdiv(m, BM), ct.cdiv(n, BN)
    for tile in range(ct.bid(0), rows * columns, ct.num_blocks(0)):
        first = tile // (GROUP * columns) * GROUP
        height = min(rows - first, GROUP)
        i, j = first + tile % height, tile % (GROUP * columns) // height
        total = ct.zeros((BM, BN), dtype=ct.float32)
        for step in range(ct.cdiv(k, BK)):
            x = ct.load(a, (i, step), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
            y = ct.load(b, (step, j), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
            total = ct.mma(x, y, total)
        ct.store(c, (i, j), total)


SIGNATURE = {
    "a": "f16[2]", "b": "f16[2]", "c": "f32[2]", "m": "i32", "n": "i32", "k": "i32", "BM": 64,
    "BN": 32, "BK": 64, "GROUP": 4,
}

# EXPECT verdict race-free
# EXPECT requires index-in-space no-self-overlap no-wrap positive-divisor kernel-assume

"""Rows of tokens, sorted by expert and padded with a number behind the last row, times their
expert's weights; each result goes where its token is. Nobody says anything of the tables: tokens
differ but for the padding, and there are whole tiles of them."""

import cuda.tile as ct


def tile_of(block, rows, columns, GROUP):
    first = block // (GROUP * columns) * GROUP
    height = min(rows - first, GROUP)
    return first + block % height, block % (GROUP * columns) // height


@ct.kernel
def experts_grouped(
    tokens, weights, out, order, expert_of_tile, BM: ct.Constant[int], BN: ct.Constant[int],
    BK: ct.Constant[int], GROUP: ct.Constant[int]
):
    rows, columns = ct.cdiv(order.shape[0], BM), ct.cdiv(weights.shape[2], BN)
    i, j = tile_of(ct.bid(0), rows, columns, GROUP)
    token = ct.gather(order, i * BM + ct.arange(BM, dtype=ct.int32))
    expert = ct.load(expert_of_tile, (i,), shape=())
    total = ct.zeros((BM, BN), dtype=ct.float32)
    for k in range(ct.num_tiles(tokens, axis=1, shape=(1, BK))):
        inner = k * BK + ct.arange(BK, dtype=ct.int32)
        x = ct.gather(tokens, (token[:, None], inner[None, :]))
        y = ct.load(weights, (expert, k, j), shape=(1, BK, BN), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(x, ct.reshape(y, (BK, BN)), total)
    column = j * BN + ct.arange(BN, dtype=ct.int32)
    ct.scatter(out, (token[:, None], column[None, :]), total)


SIGNATURE = {
    "tokens": "f16[2]", "weights": "f16[3]", "out": "f32[2]", "order": "i32[1] loose",
    "expert_of_tile": "i32[1]", "BM": 32, "BN": 32, "BK": 32, "GROUP": 8,
}

# EXPECT verdict race-free
# EXPECT requires contents-range in-bounds index-in-space no-self-overlap positive-divisor unique-contents

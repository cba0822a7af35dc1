"""Rows that were sorted by expert, scaled by their expert's weight, each back to where its token
is. The table of tokens is padded with a number behind the last row. Nobody says anything of the
tables: tokens differ but for the padding, and there are whole tiles of them."""

import cuda.tile as ct


@ct.kernel
def unsort_experts(
    sorted_rows, weight, out, token_of, expert_of_tile, BM: ct.Constant[int],
    BN: ct.Constant[int], GROUP: ct.Constant[int]
):
    rows, columns = ct.cdiv(token_of.shape[0], BM), ct.cdiv(out.shape[1], BN)
    first = ct.bid(0) // (GROUP * columns) * GROUP
    height = min(rows - first, GROUP)
    i, j = first + ct.bid(0) % height, ct.bid(0) % (GROUP * columns) // height
    token = ct.gather(token_of, i * BM + ct.arange(BM, dtype=ct.int32))
    expert = ct.load(expert_of_tile, (i,), shape=())
    scale = ct.load(weight, (expert,), shape=())
    tile = ct.load(sorted_rows, (i, j), shape=(BM, BN), padding_mode=ct.PaddingMode.ZERO)
    column = j * BN + ct.arange(BN, dtype=ct.int32)
    ct.scatter(out, (token[:, None], column[None, :]), tile * scale)  # @scatter


SIGNATURE = {
    "sorted_rows": "f32[2]", "weight": "f32[1]", "out": "f32[2]", "token_of": "i32[1] loose",
    "expert_of_tile": "i32[1]", "BM": 32, "BN": 32, "GROUP": 8,
}

# Rows of the padding go to one place, and equal ids to one row: the host has neither.
# EXPECT verdict conditional
# EXPECT TR004 @scatter
# EXPECT requires contents-range:launch in-bounds:race index-in-space no-self-overlap:standing positive-divisor unique-contents:race kernel-assume

"""Index and value of the largest element of each row, with 64-bit shapes and strides."""

import cuda.tile as ct


@ct.kernel
def argmax_rows(
    x: ct.IndexedWithInt64, value, where, ROWS: ct.Constant[int], TILE: ct.Constant[int]
):
    i = ct.bid(0)
    tile = ct.load(x, (i, 0), shape=(ROWS, TILE), padding_mode=ct.PaddingMode.NEG_INF)
    ct.store(value, (i,), ct.max(tile, axis=1))
    ct.store(where, (i,), ct.argmax(tile, axis=1))


SIGNATURE = {"x": "f32[2] i64", "value": "f32[1]", "where": "i32[1]", "ROWS": 8, "TILE": 512}
BYTECODE = "13.4"

# EXPECT verdict race-free
# EXPECT requires index-in-space kernel-assume

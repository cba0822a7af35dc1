"""Softmax of rows: a running maximum and sum in one pass, the quotient in a second."""

import math

import cuda.tile as ct


@ct.kernel
def softmax(x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    top = ct.full((1, 1), -math.inf, dtype=ct.float32)
    total = ct.zeros((1, 1), dtype=ct.float32)
    chunks = ct.num_tiles(x, axis=1, shape=(1, TILE))
    for c in range(chunks):
        tile = ct.load(x, (row, c), shape=(1, TILE), padding_mode=ct.PaddingMode.NEG_INF)
        new = ct.maximum(top, ct.max(tile, axis=1, keepdims=True))
        total = total * ct.exp(top - new) + ct.sum(ct.exp(tile - new), axis=1, keepdims=True)
        top = new
    for c in range(chunks):
        tile = ct.load(x, (row, c), shape=(1, TILE), padding_mode=ct.PaddingMode.NEG_INF)
        ct.store(y, (row, c), ct.exp(tile - top) / total)


SIGNATURE = {"x": "f32[2]", "y": "f32[2]", "TILE": 512}

# EXPECT verdict race-free

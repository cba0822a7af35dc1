"""Joins the parts that the blocks of a split decode have left."""

import math

import cuda.tile as ct


@ct.kernel
def attention_decode_join(part, lse, o, D: ct.Constant[int], SPLITS: ct.Constant[int]):
    head, batch = ct.bid(0), ct.bid(1)
    weights = ct.load(
        lse, (0, batch, head), shape=(SPLITS, 1, 1), padding_mode=ct.PaddingMode.NEG_INF
    ).reshape((SPLITS, 1))
    share = ct.exp(weights - ct.max(weights, axis=0, keepdims=True))
    parts = ct.load(
        part, (0, batch, head, 0), shape=(SPLITS, 1, 1, D), padding_mode=ct.PaddingMode.ZERO
    ).reshape((SPLITS, D))
    joined = ct.sum(parts * share, axis=0) / ct.sum(share)
    ct.store(o, (batch, head, 0), ct.astype(joined, o.dtype).reshape((1, 1, D)))


SIGNATURE = {"part": "f32[4]", "lse": "f32[3]", "o": "f16[3]", "D": 128, "SPLITS": 16}

# EXPECT verdict race-free

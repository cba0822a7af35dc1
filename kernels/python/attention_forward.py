"""Attention with the online softmax; groups of query heads share a head of keys and values."""

import math

import cuda.tile as ct


@ct.kernel
def attention_forward(
    q, k, v, o, lse, scale, D: ct.Constant[int], BM: ct.Constant[int], BN: ct.Constant[int]
):
    m, head = ct.bid(0), ct.bid(1) % q.shape[1]
    batch = ct.bid(1) // q.shape[1]
    key_head = head // (q.shape[1] // k.shape[1])
    query = ct.load(q, (batch, head, m, 0), shape=(1, 1, BM, D)).reshape((BM, D))
    row = m * BM + ct.arange(BM, dtype=ct.int32)

    top = ct.full((BM, 1), -math.inf, dtype=ct.float32)
    weight = ct.zeros((BM, 1), dtype=ct.float32)
    total = ct.zeros((BM, D), dtype=ct.float32)
    for n in range(ct.cdiv(min((m + 1) * BM, k.shape[2]), BN)):
        key = ct.load(k, (batch, key_head, 0, n), shape=(1, 1, D, BN), order=(0, 1, 3, 2))
        scores = ct.mma(query, key.reshape((D, BN)), ct.zeros((BM, BN), dtype=ct.float32)) * scale
        column = n * BN + ct.arange(BN, dtype=ct.int32)
        scores = ct.where(row[:, None] >= column[None, :], scores, -math.inf)
        new = ct.maximum(top, ct.max(scores, axis=1, keepdims=True))
        p = ct.exp(scores - new)
        shrink = ct.exp(top - new)
        value = ct.load(v, (batch, key_head, n, 0), shape=(1, 1, BN, D)).reshape((BN, D))
        weight = weight * shrink + ct.sum(p, axis=1, keepdims=True)
        total = ct.mma(ct.astype(p, v.dtype), value, total * shrink)
        top = new

    result = ct.astype(total / weight, o.dtype).reshape((1, 1, BM, D))
    ct.store(o, (batch, head, m, 0), result)
    ct.store(lse, (batch, head, m), (top + ct.log(weight)).reshape((1, 1, BM)))


SIGNATURE = {
    "q": "f16[4]", "k": "f16[4]", "v": "f16[4]", "o": "f16[4]", "lse": "f32[3]", "scale": "f32",
    "D": 64, "BM": 64, "BN": 64,
}

# EXPECT verdict race-free

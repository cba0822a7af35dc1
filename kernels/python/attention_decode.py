"""One new query a head against a cache that is split over blocks, in pages of BN keys."""

import math

import cuda.tile as ct


@ct.kernel
def attention_decode(
    q, k, v, part, lse, table, scale, share, D: ct.Constant[int], BN: ct.Constant[int]
):
    head, batch, split = ct.bid(0), ct.bid(1), ct.bid(2)
    query = ct.astype(ct.load(q, (batch, head, 0), shape=(1, 1, D)).reshape((1, D)), ct.float32)
    top = -math.inf
    weight = 0.0
    total = ct.zeros((1, D), dtype=ct.float32)
    for p in range(split * share, min((split + 1) * share, table.shape[1])):
        page = ct.gather(table, (batch, p))
        key = ct.load(k, (page, head, 0, 0), shape=(1, 1, BN, D)).reshape((BN, D))
        value = ct.load(v, (page, head, 0, 0), shape=(1, 1, BN, D)).reshape((BN, D))
        scores = ct.sum(ct.astype(key, ct.float32) * query, axis=1, keepdims=True) * scale
        new = max(top, ct.max(scores))
        e = ct.exp(scores - new)
        shrink = ct.exp(top - new)
        weight = weight * shrink + ct.sum(e)
        mixed = ct.sum(e * ct.astype(value, ct.float32), axis=0, keepdims=True)
        total = total * shrink + mixed
        top = new
    ct.store(part, (split, batch, head, 0), (total / weight).reshape((1, 1, 1, D)))
    ct.scatter(lse, (split, batch, head), top + ct.log(weight))


SIGNATURE = {
    "q": "f16[3]", "k": "f16[4]", "v": "f16[4]", "part": "f32[4]", "lse": "f32[3]",
    "table": "i32[2]", "scale": "f32", "share": "i32", "D": 128, "BN": 16,
}

# EXPECT verdict race-free

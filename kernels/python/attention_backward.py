"""Backward pass of attention: a block owns BN keys of a head and adds to the queries' gradient."""

import cuda.tile as ct


@ct.kernel
def attention_backward(
    q, k, v, dout, lse, delta, dq, dk, dv, scale, D: ct.Constant[int], BM: ct.Constant[int],
    BN: ct.Constant[int]
):
    n, head = ct.bid(0), ct.bid(1)
    key = ct.load(k, (head, n, 0), shape=(1, BN, D)).reshape((BN, D))
    value = ct.load(v, (head, n, 0), shape=(1, BN, D)).reshape((BN, D))
    key_sum = ct.zeros((BN, D), dtype=ct.float32)
    value_sum = ct.zeros((BN, D), dtype=ct.float32)
    zero = ct.zeros((BM, BN), dtype=ct.float32)
    for m in range(ct.num_tiles(q, axis=1, shape=(1, BM, D))):
        query = ct.load(q, (head, m, 0), shape=(1, BM, D)).reshape((BM, D))
        out = ct.load(dout, (head, m, 0), shape=(1, BM, D)).reshape((BM, D))
        norm = ct.load(lse, (head, m), shape=(1, BM)).reshape((BM, 1))
        drift = ct.load(delta, (head, m), shape=(1, BM)).reshape((BM, 1))
        p = ct.exp(ct.mma(query, key.transpose(), zero) * scale - norm)
        dp = ct.mma(out, value.transpose(), zero)
        ds = ct.astype(p * (dp - drift) * scale, q.dtype)
        value_sum = ct.mma(ct.astype(p, q.dtype).transpose(), out, value_sum)
        key_sum = ct.mma(ds.transpose(), query, key_sum)
        share = ct.mma(ds, key, ct.zeros((BM, D), dtype=ct.float32))
        row = m * BM + ct.arange(BM, dtype=ct.int32)
        feature = ct.arange(D, dtype=ct.int32)
        ct.atomic_add(
            dq, (head, row[:, None], feature[None, :]), share, memory_order=ct.MemoryOrder.RELAXED
        )
    ct.store(dk, (head, n, 0), ct.astype(key_sum, dk.dtype).reshape((1, BN, D)))
    ct.store(dv, (head, n, 0), ct.astype(value_sum, dv.dtype).reshape((1, BN, D)))


SIGNATURE = {
    "q": "f16[3]", "k": "f16[3]", "v": "f16[3]", "dout": "f16[3]", "lse": "f32[2]",
    "delta": "f32[2]", "dq": "f32[3]", "dk": "f16[3]", "dv": "f16[3]", "scale": "f32", "D": 64,
    "BM": 32, "BN": 32,
}

# EXPECT verdict race-free

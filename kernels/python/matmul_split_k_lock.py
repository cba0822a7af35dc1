"""c = a b with the inner dimension split over blocks, which add their shares under a lock a tile.
A count of those that were there tells the first, who stores instead of adding."""

import cuda.tile as ct


@ct.kernel
def matmul_split_k_lock(
    a, b, c, lock, count, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]
):
    i, j, split = ct.bid(0), ct.bid(1), ct.bid(2)
    share = ct.zeros((BM, BN), dtype=ct.float32)
    for k in range(split, ct.num_tiles(a, axis=1, shape=(BM, BK)), ct.num_blocks(2)):
        x = ct.load(a, (i, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, j), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
        share = ct.mma(x, y, share)

    while ct.atomic_cas(lock, (i, j), 0, 1, memory_order=ct.MemoryOrder.ACQUIRE) == 1:
        pass
    before = ct.gather(count, (i, j))
    if before > 0:
        share += ct.load(c, (i, j), shape=(BM, BN))
    ct.store(c, (i, j), share)
    ct.scatter(count, (i, j), before + 1)
    ct.atomic_xchg(lock, (i, j), 0, memory_order=ct.MemoryOrder.RELEASE)


SIGNATURE = {
    "a": "f16[2]", "b": "f16[2]", "c": "f32[2]", "lock": "i32[2]", "count": "i32[2]", "BM": 64,
    "BN": 64, "BK": 64,
}

# EXPECT verdict race-free

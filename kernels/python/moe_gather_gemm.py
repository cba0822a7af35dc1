"""Matrix product of a mixture of experts: rows of a by token, rows of c by slot id, which padding
has from `slots` on."""

import cuda.tile as ct


@ct.kernel
def moe_gather_gemm(
    a, w, ids, expert_of, c, slots, CHOICES: ct.Constant[int], BM: ct.Constant[int],
    BN: ct.Constant[int], BK: ct.Constant[int]
):
    block, j = ct.bid(0), ct.bid(1)
    expert = ct.load(expert_of, (block,), shape=(1,)).item()
    slot = ct.load(ids, (block,), shape=(BM,))
    real = slot < slots
    token = slot // CHOICES

    total = ct.zeros((BM, BN), dtype=ct.float32)
    for k in range(ct.cdiv(a.shape[1], BK)):
        inner = k * BK + ct.arange(BK, dtype=ct.int32)
        x = ct.gather(a, (token[:, None], inner[None, :]), mask=real[:, None])
        y = ct.load(w, (expert, k, j), shape=(1, BK, BN)).reshape((BK, BN))
        total = ct.mma(x, y, total)
    column = j * BN + ct.arange(BN, dtype=ct.int32)
    ct.scatter(c, (slot[:, None], column[None, :]), total, mask=real[:, None])


SIGNATURE = {
    "a": "f16[2]", "w": "f16[3]", "ids": "i32[1]", "expert_of": "i32[1]", "c": "f32[2]",
    "slots": "i32", "CHOICES": 2, "BM": 64, "BN": 64, "BK": 64,
}

# EXPECT verdict race-free

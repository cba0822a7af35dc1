"""Prefix sum in one launch by decoupled look-back: a block tells its own sum at once (state 1)
and the sum up to it when it has it (state 2), and goes back over those before it until one
tells the latter."""

import cuda.tile as ct


def look(flags, i):
    return ct.atomic_or(flags, i, 0, memory_order=ct.MemoryOrder.ACQUIRE)


def tell(flags, i, value):
    ct.store(
        flags, (i,), value, memory_order=ct.MemoryOrder.RELEASE,
        memory_scope=ct.MemoryScope.DEVICE,
    )


@ct.kernel
def prefix_sum_look_back(x, y, own, total, state, TILE: ct.Constant[int]):
    b = ct.bid(0)
    tile = ct.load(x, (b,), shape=(TILE,), padding_mode=ct.PaddingMode.ZERO)
    mine = ct.sum(tile)
    ct.scatter(own, b, mine)
    tell(state, b, 1)
    before = 0
    p = b - 1
    while p >= 0:
        told = 0
        while told == 0:
            told = look(state, p)
        if told == 2:
            before += ct.gather(total, p)
            break
        before += ct.gather(own, p)
        p = p - 1
    ct.scatter(total, b, before + mine)
    tell(state, b, 2)
    ct.store(y, (b,), before + ct.cumsum(tile))


SIGNATURE = {
    "x": "i32[1]", "y": "i32[1]", "own": "i32[1]", "total": "i32[1]", "state": "i32[1]",
    "TILE": 512,
}

# EXPECT verdict race-free

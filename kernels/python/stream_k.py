"""Sums of rows, the work cut into equal runs with no regard to rows: who begins a row waits for
the shares of those who carry on with it."""

import cuda.tile as ct


def look(flags, i):
    return ct.atomic_or(flags, i, 0, memory_order=ct.MemoryOrder.ACQUIRE)


def tell(flags, i, value):
    ct.store(
        flags, (i,), value, memory_order=ct.MemoryOrder.RELEASE,
        memory_scope=ct.MemoryScope.DEVICE,
    )


@ct.kernel
def stream_k(
    x, sums, work, flag, TILE: ct.Constant[int], STEPS: ct.Constant[int], RUN: ct.Constant[int]
):
    w = ct.bid(0)
    begin = w * RUN
    end = min(begin + RUN, x.shape[0] * STEPS)
    for r in range(begin // STEPS, ct.cdiv(end, STEPS)):
        row = r * STEPS
        acc = ct.zeros((1, TILE), dtype=ct.float32)
        for k in range(max(begin, row), min(end, row + STEPS)):
            acc += ct.load(x, (r, k - row), shape=(1, TILE))
        if begin > row:
            ct.store(work, (w, 0), acc)
            tell(flag, w, 1)
        else:
            for v in range(w + 1, ct.cdiv(row + STEPS, RUN)):
                while look(flag, v) == 0:
                    pass
                acc += ct.load(work, (v, 0), shape=(1, TILE))
            ct.store(sums, (r, 0), acc)


SIGNATURE = {
    "x": "f32[2]", "sums": "f32[2]", "work": "f32[2]", "flag": "i32[1]", "TILE": 128, "STEPS": 24,
    "RUN": 10,
}

# EXPECT verdict race-free

"""Sums of rows, each by blocks that add their shares in the order in which they come: who draws a number
waits until it is called (a ticket lock a row)."""

import cuda.tile as ct


def look(numbers, i):
    return ct.atomic_or(numbers, i, 0, memory_order=ct.MemoryOrder.ACQUIRE)


def call(numbers, i, value):
    ct.store(
        numbers, (i,), value, memory_order=ct.MemoryOrder.RELEASE,
        memory_scope=ct.MemoryScope.DEVICE,
    )


@ct.kernel
def row_sum_turns(x, sums, drawn, called, TILE: ct.Constant[int]):
    row = ct.bid(1)
    chunk = ct.load(
        x, (row, ct.bid(0)), shape=(1, TILE), padding_mode=ct.PaddingMode.ZERO
    )
    share = ct.sum(chunk, axis=1)
    mine = ct.atomic_add(drawn, row, 1, memory_order=ct.MemoryOrder.RELAXED)
    while look(called, row) != mine:
        pass
    before = ct.load(sums, (row,), shape=(1,))
    ct.store(sums, (row,), before + share)
    call(called, row, mine + 1)


SIGNATURE = {
    "x": "f32[2]", "sums": "f32[1]", "drawn": "i32[1]", "called": "i32[1]", "TILE": 256,
}

# EXPECT verdict race-free

"""Blocks draw tiles from a queue until it is empty: what a block writes hangs on its tickets."""

import cuda.tile as ct


@ct.kernel
def work_queue(x, y, queue, TILE: ct.Constant[int]):
    tiles = ct.num_tiles(x, axis=0, shape=(TILE,))
    ticket = ct.atomic_add(queue, 0, 1, memory_order=ct.MemoryOrder.RELAXED)
    while ticket < tiles:
        tile = ct.load(x, (ticket,), shape=(TILE,))
        ct.store(y, (ticket,), ct.exp(tile))
        ticket = ct.atomic_add(queue, 0, 1, memory_order=ct.MemoryOrder.RELAXED)


SIGNATURE = {"x": "f32[1]", "y": "f32[1]", "queue": "i32[1]", "TILE": 1024}

# EXPECT verdict race-free

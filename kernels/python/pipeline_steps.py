"""Two blocks a row: one writes the chunks and counts them, the other takes each as soon as it is
counted."""

import cuda.tile as ct


def look(flags, i):
    return ct.atomic_or(flags, i, 0, memory_order=ct.MemoryOrder.ACQUIRE)


def tell(flags, i, value):
    ct.store(
        flags, (i,), value, memory_order=ct.MemoryOrder.RELEASE,
        memory_scope=ct.MemoryScope.DEVICE,
    )


@ct.kernel
def pipeline_steps(x, work, ready, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    steps = ct.num_tiles(x, axis=1, shape=(1, TILE))
    if ct.bid(1) == 0:
        for s in range(steps):
            chunk = ct.load(x, (row, s), shape=(1, TILE))
            ct.store(work, (row, s), chunk * 2.0)
            tell(ready, row, s + 1)
    else:
        for s in range(steps):
            while look(ready, row) <= s:
                pass
            ct.store(y, (row, s), ct.load(work, (row, s), shape=(1, TILE)) + 1.0)


SIGNATURE = {"x": "f32[2]", "work": "f32[2]", "ready": "i32[1]", "y": "f32[2]", "TILE": 128}

# EXPECT verdict race-free

"""One half of the blocks squares tiles and raises a flag for each, the other half waits for them
and takes the tiles over."""

import cuda.tile as ct


def look(flags, i):
    return ct.atomic_or(flags, i, 0, memory_order=ct.MemoryOrder.ACQUIRE)


def tell(flags, i, value):
    ct.store(
        flags, (i,), value, memory_order=ct.MemoryOrder.RELEASE,
        memory_scope=ct.MemoryScope.DEVICE,
    )


@ct.kernel
def message_passing(x, work, flag, y, TILE: ct.Constant[int]):
    tiles = ct.num_tiles(x, axis=0, shape=(TILE,))
    i = ct.bid(0)
    if i < tiles:
        tile = ct.load(x, (i,), shape=(TILE,))
        ct.store(work, (i,), tile * tile)
        tell(flag, i, 1)
    else:
        i = i - tiles
        while look(flag, i) == 0:
            pass
        ct.store(y, (i,), ct.load(work, (i,), shape=(TILE,)) + 1.0)


SIGNATURE = {"x": "f32[1]", "work": "f32[1]", "flag": "i32[1]", "y": "f32[1]", "TILE": 256}

# EXPECT verdict race-free

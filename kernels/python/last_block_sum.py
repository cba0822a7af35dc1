"""Sum in one launch: every block leaves its part and counts itself, the last one to count adds
up."""

import cuda.tile as ct


@ct.kernel
def last_block_sum(x, part, count, total, TILE: ct.Constant[int]):
    b, blocks = ct.bid(0), ct.num_blocks(0)
    tile = ct.load(x, (b,), shape=(TILE,), padding_mode=ct.PaddingMode.ZERO)
    ct.scatter(part, b, ct.sum(tile))
    before = ct.atomic_add(count, 0, 1, memory_order=ct.MemoryOrder.ACQ_REL)
    if before == blocks - 1:
        acc = 0.0
        for p in range(blocks):
            acc += ct.gather(part, p)
        ct.scatter(total, 0, acc)


SIGNATURE = {"x": "f32[1]", "part": "f32[1]", "count": "i32[1]", "total": "f32[1]", "TILE": 512}

# EXPECT verdict race-free

"""Mean of a cell and the 15 behind it in its row, by tiles that overlap."""

import cuda.tile as ct


@ct.kernel
def blur(x, y, TILE: ct.Constant[int]):
    row, j = ct.bid(0), ct.bid(1)
    wide = x.tiled_view(
        (1, 2 * TILE), padding_mode=ct.PaddingMode.ZERO, traversal_steps=(1, TILE)
    ).load((row, j))
    total = ct.zeros((1, TILE), dtype=ct.float32)
    run = ct.cumsum(wide, axis=1)
    lane = ct.arange(TILE, dtype=ct.int32)[None, :]
    head = ct.extract(run, (0, 0), shape=(1, TILE))
    tail = ct.extract(run, (0, 1), shape=(1, TILE))
    total += ct.where(lane < TILE, tail - head, 0.0)
    ct.store(y, (row, j), total / TILE)


SIGNATURE = {"x": "f32[2]", "y": "f32[2]", "TILE": 64}

# EXPECT verdict race-free

"""Layer normalisation, one row a block; keeps mean and reciprocal deviation."""

import cuda.tile as ct


@ct.kernel
def layer_norm(x, weight, bias, y, mean, rstd, epsilon, TILE: ct.Constant[int]):
    row = ct.bid(0)
    count = x.shape[1]
    chunks = ct.num_tiles(x, axis=1, shape=(1, TILE))

    total = ct.zeros((1, TILE), dtype=ct.float32)
    for c in range(chunks):
        total += ct.load(x, (row, c), shape=(1, TILE), padding_mode=ct.PaddingMode.ZERO)
    average = ct.sum(total, axis=1, keepdims=True) / count

    squares = ct.zeros((1, TILE), dtype=ct.float32)
    for c in range(chunks):
        tile = ct.load(x, (row, c), shape=(1, TILE), padding_mode=ct.PaddingMode.ZERO)
        column = c * TILE + ct.arange(TILE, dtype=ct.int32)
        centred = ct.where(column < count, tile - average, 0.0)
        squares += centred * centred
    scaling = ct.rsqrt(ct.sum(squares, axis=1, keepdims=True) / count + epsilon)

    for c in range(chunks):
        tile = ct.load(x, (row, c), shape=(1, TILE), padding_mode=ct.PaddingMode.ZERO)
        gain = ct.load(weight, (c,), shape=(TILE,))
        shift = ct.load(bias, (c,), shape=(TILE,))
        ct.store(y, (row, c), (tile - average) * scaling * gain + shift)
    ct.scatter(mean, row, average.item())
    ct.scatter(rstd, row, scaling.item())


SIGNATURE = {
    "x": "f32[2]", "weight": "f32[1]", "bias": "f32[1]", "y": "f32[2]", "mean": "f32[1]",
    "rstd": "f32[1]", "epsilon": "f32", "TILE": 256,
}

# EXPECT verdict race-free

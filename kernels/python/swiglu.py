"""silu(a) * b element by element through pointers: any shape of the launch, the tail is masked."""

import cuda.tile as ct


@ct.kernel
def swiglu(a, b, c, TILE: ct.Constant[int]):
    row, chunk = ct.bid(0), ct.bid(1)
    column = chunk * TILE + ct.arange(TILE, dtype=ct.int32)
    gate = ct.gather(a, (row, column))
    value = ct.gather(b, (row, column))
    ct.scatter(c, (row, column), gate / (1.0 + ct.exp(-gate)) * value)


SIGNATURE = {"a": "f32[2]", "b": "f32[2]", "c": "f32[2]", "TILE": 512}
BYTECODE = "13.2"

# EXPECT verdict race-free

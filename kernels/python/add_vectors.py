"""c = a + b, one tile a block."""

import cuda.tile as ct


@ct.kernel
def add_vectors(a, b, c, TILE: ct.Constant[int]):
    i = ct.bid(0)
    x = ct.load(a, index=(i,), shape=(TILE,))
    y = ct.load(b, index=(i,), shape=(TILE,))
    ct.store(c, index=(i,), tile=x + y)


SIGNATURE = {"a": "f32[1]", "b": "f32[1]", "c": "f32[1]", "TILE": 256}
BYTECODE = "13.1"

# EXPECT verdict race-free
# EXPECT requires index-in-space

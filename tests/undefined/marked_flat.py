"""In one dimension nothing lies behind the last tile but the end of the buffer."""

import cuda.tile as ct


@ct.kernel
def marked_flat(x, y, TILE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), shape=(TILE,), check_bounds=False), check_bounds=False)


SIGNATURE = {"x": "f32[1]", "y": "f32[1]", "TILE": 128}
BYTECODE = "13.4"

# EXPECT verdict race-free
# EXPECT requires in-bounds:launch

"""Tiles of all segments are shared out by a loop of one stride, in groups of four rows of tiles."""

import cuda.tile as ct


@ct.kernel
def ragged_rows_persistent(y, starts, segments, tiles_m, n, TILE: ct.Constant[int]):
    tiles_n = ct.cdiv(n, TILE)
    for tile in range(ct.bid(0), segments * tiles_m * tiles_n, ct.num_blocks(0)):
        q = tile // (tiles_m * tiles_n)
        inside = tile % (tiles_m * tiles_n)
        group = inside // (4 * tiles_n)
        rows_in_group = ct.minimum(tiles_m - group * 4, 4)
        m = group * 4 + inside % rows_in_group
        column = inside % (4 * tiles_n) // rows_in_group
        first = ct.load(starts, index=(q,), shape=(1,)).item()
        end = ct.load(starts, index=(q + 1,), shape=(1,)).item()
        if m * TILE < end - first:
            rows = y.slice(axis=0, start=first, stop=end)
            ct.store(rows, index=(m, column), tile=ct.zeros((TILE, TILE), dtype=ct.float32))  # @store


SIGNATURE = {"y": "f32[2]", "starts": "i32[1]", "segments": "i32", "tiles_m": "i32", "n": "i32", "TILE": 32}

# EXPECT verdict conditional
# EXPECT TR001 @store @store
# EXPECT requires increasing-contents index-in-space kernel-assume no-self-overlap no-wrap positive-divisor
# EXPECT observable no

"""dst[index[i]] = src[i] by a view that scatters whole rows."""

import cuda.tile as ct


@ct.kernel
def scatter_rows(src, index, dst, ROWS: ct.Constant[int], TILE: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    row = ct.load(index, (i,), shape=(ROWS,))
    tile = ct.load(src, (i, j), shape=(ROWS, TILE))
    ct.store_advanced_indexing(dst, (row, ct.Slice(j * TILE, TILE)), tile)


SIGNATURE = {"src": "f32[2]", "index": "i32[1]", "dst": "f32[2]", "ROWS": 16, "TILE": 128}

# EXPECT verdict race-free

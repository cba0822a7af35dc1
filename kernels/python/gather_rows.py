"""dst[i] = table[id[i]] by a view that gathers whole rows."""

import cuda.tile as ct


@ct.kernel
def gather_rows(table, ids, dst, ROWS: ct.Constant[int], TILE: ct.Constant[int]):
    i = ct.bid(0)
    word = ct.load(ids, (i,), shape=(ROWS,), padding_mode=ct.PaddingMode.ZERO)
    for j in range(ct.num_tiles(dst, axis=1, shape=(ROWS, TILE))):
        tile = ct.load_advanced_indexing(
            table, (word, ct.Slice(j * TILE, TILE)), padding_mode=ct.PaddingMode.ZERO
        )
        ct.store(dst, (i, j), tile)


SIGNATURE = {"table": "f16[2]", "ids": "i32[1]", "dst": "f16[2]", "ROWS": 32, "TILE": 64}

# EXPECT verdict race-free

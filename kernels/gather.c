/* dst[i] = src[index[i]] for whole rows, as an embedding looks up its tokens. Rows are picked by
 * pointer tiles: a mask keeps the last block within n. Equal indices are fine, reads share. */
#include <tile.h>

enum { ROWS = 32, D = 128 };

tile_kernel void gather(const float *src, const int *index, float *dst, int n, int m)
{
    tile_grid(tile_cdiv(n, ROWS));
    tile_assume(0 < n && n <= 1 << 28 && 0 < m && m <= 1 << 28);
    tile_extent(src, (long)m * D);
    tile_extent(index, n);
    tile_extent(dst, (long)n * D);
    tile_distinct(src, index, dst);
    tile_contents(index, 0, m - 1);

    int i = tile_bid(0);
    tile at = i * ROWS + tile_iota(ROWS);
    tile inside = tile_lt(at, n);
    tile row = tile_cast(tile_load_masked(tile_pointers(index, at), inside, 0), long);

    tile column = tile_expand(tile_iota_as(long, D), 0);
    tile from = tile_expand(row, 1) * D + column; /* long: m * D may not fit an int */
    tile mask = tile_broadcast(tile_expand(inside, 1), ROWS, D);
    tile t = tile_load_masked(tile_pointers(src, from), mask, 0.0f);

    tile_view out = tile_partition(tile_tensor(dst, n, D), ROWS, D);
    tile_store(out, t, i, 0);
}

// EXPECT verdict race-free

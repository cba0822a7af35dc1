/* dst[index[i]] = src[i] for whole rows: the way back of a dispatch that sorted rows by expert. No
 * index occurs twice, so no two rows go to one place; the contract says so and the proof needs it.
 */
#include <tile.h>

enum { ROWS = 32, D = 128 };

tile_kernel void scatter(const float *src, const int *index, float *dst, int n, int m)
{
    tile_grid(n / ROWS);
    tile_assume(0 < n && n <= 1 << 28 && n % ROWS == 0); /* a tail would need a row to go to */
    tile_assume(0 < m && m <= 1 << 28);
    tile_extent(src, (long)n * D);
    tile_extent(index, n);
    tile_extent(dst, (long)m * D);
    tile_distinct(src, index, dst);
    tile_unique(index);
    tile_contents(index, 0, m - 1);

    tile_view in = tile_partition(tile_tensor(src, n, D), ROWS, D);
    tile_view rows = tile_partition(tile_tensor(index, n), ROWS);
    tile_view out = tile_gather_scatter(tile_tensor(dst, m, D), 0, ROWS, D);

    int i = tile_bid(0);
    tile row = tile_load(rows, i);
    tile t = tile_load(in, i, 0);
    tile_store(out, t, row, 0);
}

// EXPECT verdict race-free

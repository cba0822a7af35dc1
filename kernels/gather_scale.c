/* data[index[i]] *= factor[i], row by row in place: gathers rows, scales them and puts them back.
 * The index may leave rows out, but names none twice, so every row has one block that touches it.
 */
#include <tile.h>

enum { ROWS = 32, D = 128 };

tile_kernel void gather_scale(float *data, const int *index, const float *factor, int n, int m)
{
    tile_grid(n / ROWS);
    tile_assume(0 < n && n <= 1 << 28 && n % ROWS == 0 && 0 < m && m <= 1 << 28);
    tile_extent(data, (long)m * D);
    tile_extent(index, n);
    tile_extent(factor, n);
    tile_distinct(data, index, factor);
    tile_unique(index);
    tile_contents(index, 0, m - 1);

    tile_view rows = tile_gather_scatter(tile_tensor(data, m, D), 0, ROWS, D);
    tile_view picks = tile_partition(tile_tensor(index, n), ROWS);
    tile_view factors = tile_partition(tile_tensor(factor, n), ROWS);

    int i = tile_bid(0);
    tile row = tile_load(picks, i);
    tile by = tile_expand(tile_load(factors, i), 1);
    tile t = tile_load(rows, row, 0);
    tile_store(rows, t * by, row, 0);
}

// EXPECT verdict race-free

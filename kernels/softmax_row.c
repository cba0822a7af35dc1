/* Softmax of every row of x, one row a tile block, the whole row in one tile. */
#include <tile.h>

enum { N = 1024 }; /* columns of the tile: a row is no longer */

tile_kernel void softmax_row(const float *x, float *y, int rows, int n)
{
    tile_grid(rows);
    tile_assume(0 < n && n <= N);
    tile_extent(x, (long)rows * n);
    tile_extent(y, (long)rows * n);

    /* Minus infinity beyond the row changes neither the maximum nor, as exp(-inf) is 0, the sum. */
    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_NEG_INF, 1, N);
    tile_view out = tile_partition(tile_tensor(y, rows, n), 1, N);

    int row = tile_bid(0);
    tile t = tile_load(in, row, 0);
    tile e = tile_exp(t - tile_expand(tile_reduce_max(t, 1), 1));
    tile_store(out, e / tile_expand(tile_reduce_sum(e, 1), 1), row, 0);
}

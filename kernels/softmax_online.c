/* Softmax of every row of x, for rows of any length: one pass finds the maximum and the sum at once
 * by rescaling the sum whenever the maximum grows, a second one writes. */
#include <tile.h>

enum { BN = 512 }; /* columns a step */

tile_kernel void softmax_online(const float *x, float *y, int rows, int n)
{
    tile_grid(rows);
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, (long)rows * n);
    tile_extent(y, (long)rows * n);

    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_NEG_INF, 1, BN);
    tile_view out = tile_partition(tile_tensor(y, rows, n), 1, BN);

    int row = tile_bid(0), steps = tile_tiles(in, 1);
    tile top = tile_full(-TILE_INF, 1, 1);
    tile sum = tile_zeros(float, 1, 1);
    for (int c = 0; c < steps; c++) {
        tile t = tile_load(in, row, c);
        tile higher = tile_maximum(top, tile_expand(tile_reduce_max(t, 1), 1));
        tile added = tile_expand(tile_reduce_sum(tile_exp(t - higher), 1), 1);
        sum = sum * tile_exp(top - higher) + added;
        top = higher;
    }
    for (int c = 0; c < steps; c++) {
        tile t = tile_load(in, row, c);
        tile_store(out, tile_exp(t - top) / sum, row, c);
    }
}

/* RMS norm of BM rows a tile block, y = x / sqrt(mean(x * x) + eps) * weight, which keeps
 * 1 / sqrt(mean(x * x) + eps) of each row for the backward pass. */
#include <tile.h>

enum { BM = 4, BN = 256 };

tile_kernel void rms_norm(const float *x, const float *weight, float *y, float *rstd, int rows,
                          int n, float eps)
{
    tile_grid(tile_cdiv(rows, BM));
    tile_assume(0 < rows && rows <= 1 << 24 && 0 < n && n <= 1 << 20);
    tile_extent(x, (long)rows * n);
    tile_extent(weight, n);
    tile_extent(y, (long)rows * n);
    tile_extent(rstd, rows);

    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_ZERO, BM, BN);
    tile_view weights = tile_partition(tile_tensor(weight, n), BN);
    tile_view out = tile_partition(tile_tensor(y, rows, n), BM, BN);
    tile_view scales = tile_partition(tile_tensor(rstd, rows), BM);

    int i = tile_bid(0), steps = tile_tiles(in, 1);
    tile squares = tile_zeros(float, BM, BN);
    for (int c = 0; c < steps; c++) {
        tile t = tile_load(in, i, c);
        squares = squares + t * t;
    }
    tile scale = tile_rsqrt(tile_reduce_sum(squares, 1) / (float)n + eps);
    tile_store(scales, scale, i); /* the last block's rows beyond `rows` are not stored */

    for (int c = 0; c < steps; c++) {
        tile t = tile_load(in, i, c) * tile_expand(scale, 1);
        tile_store(out, t * tile_load(weights, c), i, c);
    }
}

/* Layer norm of every token, y = (x - mean) / sqrt(variance + eps) * weight + bias, which keeps the
 * mean and 1 / sqrt(variance + eps) of each token for the backward pass. */
#include <tile.h>

enum { BN = 512 }; /* features a step */

tile_kernel void layer_norm(const float *x, const float *weight, const float *bias, float *y,
                            float *mean, float *rstd, int batch, int tokens, int n, float eps)
{
    tile_grid(tokens, batch);
    tile_assume(batch <= 1 << 10 && tokens <= 1 << 20 && 0 < n && n <= 1 << 20);
    tile_extent(x, (long)batch * tokens * n);
    tile_extent(weight, n);
    tile_extent(bias, n);
    tile_extent(y, (long)batch * tokens * n);
    tile_extent(mean, (long)batch * tokens);
    tile_extent(rstd, (long)batch * tokens);

    /* Zeros beyond the row add nothing to the two sums. */
    int rows = batch * tokens;
    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_ZERO, 1, BN);
    tile_view weights = tile_partition(tile_tensor(weight, n), BN);
    tile_view biases = tile_partition(tile_tensor(bias, n), BN);
    tile_view out = tile_partition(tile_tensor(y, rows, n), 1, BN);

    int row = tile_bid(1) * tokens + tile_bid(0), steps = tile_tiles(in, 1);
    tile sum = tile_zeros(float, 1, BN), squares = tile_zeros(float, 1, BN);
    for (int c = 0; c < steps; c++) {
        tile t = tile_load(in, row, c);
        sum = sum + t;
        squares = squares + t * t;
    }
    float m = tile_to_float(tile_reduce_sum(sum, 1)) / n;
    float variance = tile_to_float(tile_reduce_sum(squares, 1)) / n - m * m;
    float r = tile_rsqrt(variance + eps);
    mean[row] = m;
    rstd[row] = r;

    for (int c = 0; c < steps; c++) {
        tile t = (tile_load(in, row, c) - m) * r;
        tile_store(out, t * tile_load(weights, c) + tile_load(biases, c), row, c);
    }
}

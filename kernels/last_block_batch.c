/* Sum of a batch of matrices in one launch over three axes of blocks, the last one to count itself
 * adds up what all have left. The host clears `count`. */
#include <tile.h>

enum { BM = 16, BN = 64 };

tile_kernel void last_block_batch(const float *x, float *part, int *count, float *sum, int batch,
                                  int m, int n)
{
    tile_grid(tile_cdiv(n, BN), tile_cdiv(m, BM), batch);
    tile_assume(0 < m && m <= 1 << 12 && 0 < n && n <= 1 << 12 && 0 < batch && batch <= 1 << 10);
    tile_extent(x, (long)batch * m * n);
    tile_extent(part, batch * tile_cdiv(m, BM) * tile_cdiv(n, BN));
    tile_extent(count, 1);
    tile_extent(sum, 1);
    tile_contents(count, 0, 0);
    tile_distinct(x, part, count, sum);

    tile_view in = tile_partition_padded(tile_tensor(x, batch, m, n), TILE_PAD_ZERO, 1, BM, BN);

    int columns = tile_grid_extent(0), rows = tile_grid_extent(1);
    int blocks = columns * rows * tile_grid_extent(2);
    int i = tile_bid(1), j = tile_bid(0), b = tile_bid(2);
    tile t = tile_reshape(tile_load(in, b, i, j), BM * BN);
    part[(b * rows + i) * columns + j] = tile_to_float(tile_reduce_sum(t, 0)); // @store
    int before = tile_atomic_add(tile_pointers(count, 0), 1, TILE_ACQ_REL, TILE_DEVICE);
    if (before == blocks - 1) {
        float total = 0;
        for (int p = 0; p < blocks; p++)
            total += part[p]; // @load
        sum[0] = total;       // @sum
    }
}

// EXPECT verdict race-free

/* Sum of every row. `parts` blocks share each group of BM rows, every one takes each parts-th chunk
 * of columns, and adds its share atomically. The host clears `sum` before the launch. */
#include <tile.h>

enum { BM = 16, BN = 256 };

tile_kernel void row_sum(const float *x, float *sum, int rows, int n, int parts)
{
    tile_grid(tile_cdiv(rows, BM), parts);
    tile_assume(0 < rows && rows <= 1 << 24 && 0 < n && n <= 1 << 30);
    tile_extent(x, (long)rows * n);
    tile_extent(sum, rows);

    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_ZERO, BM, BN);
    tile_view out = tile_partition(tile_tensor(sum, rows), BM);

    int i = tile_bid(0), chunks = tile_tiles(in, 1);
    tile share = tile_zeros(float, BM, BN);
    for (int c = tile_bid(1); c < chunks; c += parts)
        share = share + tile_load(in, i, c);
    tile_red_add(out, tile_reduce_sum(share, 1), i);
}

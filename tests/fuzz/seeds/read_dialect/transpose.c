/* dst = transpose of src, one square tile a block. */
#include <tile.h>

enum { T = 64 };

tile_kernel void transpose(const float *src, float *dst, int rows, int cols)
{
    tile_grid(tile_cdiv(cols, T), tile_cdiv(rows, T));
    tile_assume(0 < rows && rows <= 1 << 24 && 0 < cols && cols <= 1 << 24);
    tile_extent(src, (long)rows * cols);
    tile_extent(dst, (long)rows * cols);

    tile_view in = tile_partition(tile_tensor(src, rows, cols), T, T);
    tile_view out = tile_partition(tile_tensor(dst, cols, rows), T, T);

    int i = tile_bid(1);
    int j = tile_bid(0);
    tile t = tile_load(in, i, j);
    tile_store(out, tile_permute(t, 1, 0), j, i);
}

// EXPECT verdict race-free

/* Copies a matrix between two row pitches, as cudaMemcpy2D does. A row may be followed by padding
 * that belongs to somebody else, so the columns are cut off at `cols`, not at the pitch. */
#include <tile.h>

enum { ROWS = 32, COLS = 64 };

tile_kernel void strided_copy(const float *src, float *dst, int rows, int cols, int src_pitch,
                              int dst_pitch)
{
    tile_grid(tile_cdiv(cols, COLS), tile_cdiv(rows, ROWS));
    tile_assume(0 < rows && rows <= 1 << 24 && 0 < cols && cols <= 1 << 24);
    tile_assume(cols <= src_pitch && cols <= dst_pitch); /* else rows would overlap */
    tile_extent(src, (long)(rows - 1) * src_pitch + cols);
    tile_extent(dst, (long)(rows - 1) * dst_pitch + cols);

    tile_tensor from = tile_tensor_strided(src, tile_shape(rows, cols), tile_strides(src_pitch, 1));
    tile_tensor to = tile_tensor_strided(dst, tile_shape(rows, cols), tile_strides(dst_pitch, 1));
    tile_view in = tile_partition(from, ROWS, COLS);
    tile_view out = tile_partition(to, ROWS, COLS);

    int row = tile_bid(1);
    int col = tile_bid(0);
    tile t = tile_load(in, row, col);
    tile_store(out, t, row, col);
}

// EXPECT verdict race-free

/* 66. Split-K: the blocks of one tile add their shares by an atomic reduction. Race-free: relaxed
 * updates, scope device (A2). The order of the additions, and so the last bits of the sum, is not
 * determined. */
#include <tile.h>

enum { T = 2 };

tile_kernel void split_k_red(float *y, int tiles, int splits)
{
    tile_grid(tiles, splits);
    tile_assume(0 < tiles && tiles <= 1 << 20 && 1 < splits && splits <= 1 << 20);
    tile_extent(y, (long)T * tiles);

    tile_view Y = tile_partition(tile_tensor(y, T * tiles), T);
    int i = tile_bid(0);

    tile_red_tko(TILE_ADD, Y, 1.0f, TILE_RELAXED, TILE_DEVICE, after_none, i);
}

// EXPECT verdict race-free
// LAUNCH grid 1,2 tiles 1 splits 2
// LAUNCH grid 2,3 tiles 2 splits 3

/* 68. As 66, but the first block of each tile stores 0 in the same launch. Race: nothing orders
 * the store before the others' updates, and it is weak (A2, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void split_k_init(float *y, int tiles, int splits)
{
    tile_grid(tiles, splits);
    tile_assume(0 < tiles && tiles <= 1 << 20 && 1 < splits && splits <= 1 << 20);
    tile_extent(y, (long)T * tiles);

    tile_view Y = tile_partition(tile_tensor(y, T * tiles), T);
    int i = tile_bid(0);

    if (tile_bid(1) == 0)
        tile_store_tko(Y, 0.0f, after_none, i); // @init
    else
        tile_red_tko(TILE_ADD, Y, 1.0f, TILE_RELAXED, TILE_DEVICE, after_none, i); // @red
}

// EXPECT verdict race
// EXPECT TR005 @init @red
// EXPECT observable yes
// LAUNCH grid 1,2 tiles 1 splits 2
// LAUNCH grid 2,3 tiles 2 splits 3

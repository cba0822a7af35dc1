/* 69. As 66, and one block of each tile reads the sum weakly. Race: the sum is complete in the
 * next launch, not in this one (A2, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void red_weak_read(float *y, float *seen, int tiles, int splits)
{
    tile_grid(tiles, splits);
    tile_assume(0 < tiles && tiles <= 1 << 20 && 1 < splits && splits <= 1 << 20);
    tile_extent(y, (long)T * tiles);
    tile_extent(seen, (long)T * tiles);

    tile_view Y = tile_partition(tile_tensor(y, T * tiles), T);
    tile_view S = tile_partition(tile_tensor(seen, T * tiles), T);
    int i = tile_bid(0);

    if (tile_bid(1) > 0) {
        tile_red_tko(TILE_ADD, Y, 1.0f, TILE_RELAXED, TILE_DEVICE, after_none, i); // @red
    } else {
        token loaded;
        tile v = tile_load_tko(Y, after_none, &loaded, i); // @load
        tile_store_tko(S, v, after_none, i);
    }
}

// EXPECT verdict race
// EXPECT TR005 @red @load
// EXPECT observable yes
// LAUNCH grid 1,2 tiles 1 splits 2
// LAUNCH grid 2,3 tiles 2 splits 3

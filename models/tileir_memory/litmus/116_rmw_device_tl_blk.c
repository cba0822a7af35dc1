/* 116. One block adds with scope tl_blk, the others with scope device. Race: its scope does not
 * include them (D8, A2, A3). */
#include <tile.h>

tile_kernel void rmw_device_tl_blk(int *c, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(c, 1);

    tile at = tile_pointers(c, 0);
    token t;
    if (tile_bid(0) == 0)
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_BLOCK, after_none, &t); // @a
    else
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &t); // @b
}

// EXPECT verdict race
// EXPECT TR006 @a @b
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

/* 115. One block adds with scope sys, the others with scope device. Race-free (D8, A2). */
#include <tile.h>

tile_kernel void rmw_device_sys(int *c, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(c, 1);

    tile at = tile_pointers(c, 0);
    token t;
    if (tile_bid(0) == 0)
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_SYS, after_none, &t);
    else
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &t);
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

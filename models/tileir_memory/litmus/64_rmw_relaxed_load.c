/* 64. As 63, the load relaxed with scope device. Race-free: morally strong on both sides (A2). */
#include <tile.h>

tile_kernel void rmw_relaxed_load(int *c, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(c, 1);
    tile_extent(seen, 1);

    tile at = tile_pointers(c, 0);
    token t;
    if (tile_bid(0) > 0) {
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &t);
    } else {
        tile v = tile_load_masked_tko(at, true, 0, TILE_RELAXED, TILE_DEVICE, after_none, &t);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

/* 63. As 62, and one block loads the counter weakly. Race: a weak access includes no block, so the
 * two are not morally strong (A2, A3). */
#include <tile.h>

tile_kernel void rmw_weak_load(int *c, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(c, 1);
    tile_extent(seen, 1);

    tile at = tile_pointers(c, 0);
    token t;
    if (tile_bid(0) > 0) {
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &t); // @add
    } else {
        tile v = tile_load_ptr_tko(at, after_none, &t); // @load
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race
// EXPECT TR005 @add @load
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

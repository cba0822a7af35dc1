/* 137. A compare-and-swap that never succeeds, and a weak load of the same element by another
 * block. Race: no published text says that a failed one is only a read, so it counts as a write
 * (A1, inferred). */
#include <tile.h>

tile_kernel void failed_cas(int *c, int *seen)
{
    tile_grid(2);
    tile_extent(c, 1);
    tile_extent(seen, 1);
    tile_contents(c, 0, 0);

    tile at = tile_pointers(c, 0);
    token t;
    if (tile_bid(0) == 0) {
        tile_atomic_cas_tko(at, 5, 6, true, TILE_RELAXED, TILE_DEVICE, after_none, &t); // @swap
    } else {
        tile v = tile_load_ptr_tko(at, after_none, &t); // @load
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race
// EXPECT TR005 @swap @load
// EXPECT observable no
// LAUNCH grid 2

/* 232. A block stores 5 weakly, two others add 1. Race: the store is weak. Coherence does not order
 * it with the updates (A4), so the write of one update need not come between the store and the
 * other update (A5): both may read 5. */
#include <tile.h>

tile_kernel void updates_of_weak_store(int *count, int *seen)
{
    tile_grid(3);
    tile_extent(count, 1);
    tile_extent(seen, 3);
    tile_contents(count, 0, 0);

    if (tile_bid(0) == 0) {
        tile_store_ptr_tko(tile_pointers(count, 0), 5, after_none); // @store
    } else {
        token added;
        tile drawn = tile_atomic_tko(TILE_ADD, tile_pointers(count, 0), 1, true, // @add
                                     TILE_RELAXED, TILE_DEVICE, after_none, &added);
        tile_store_ptr_tko(tile_pointers(seen, tile_bid(0)), drawn, after_none);
    }
}

// EXPECT verdict race
// EXPECT TR005 @store @add
// EXPECT observable yes
// LAUNCH grid 3
// LAUNCH grid 3 despite-races
// OUTCOME allowed r0=5 r1=5
// OUTCOME allowed r0=5 r1=6
// OUTCOME forbidden r0=0 r1=0

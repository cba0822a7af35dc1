/* 100. A release store of 1, a relaxed update to 2 by a second block, an acquire of 2 by a third
 * block. Race-free: the update reads the release's value, so the release is observed through the
 * update (D20). The order of the second block's own accesses does not matter. */
#include <tile.h>

tile_kernel void chain_relaxed_middle(int *x, int *flag, int *seen)
{
    tile_grid(3);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);
    tile_contents(x, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else if (tile_bid(0) == 1) {
        token added;
        tile_atomic_cas_tko(tile_pointers(flag, 0), 1, 2, true, TILE_RELAXED, TILE_DEVICE,
                            after_none, &added);
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 2) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded);
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 3
// OUTCOME allowed r0=1 r1=2 r2=1
// OUTCOME forbidden r1=2 r2=0

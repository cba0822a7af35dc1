/* 99. A release and, token-ordered after it, a relaxed store of 2 by the same block; the other
 * block acquires 2. Race-free as far as the release pattern reaches along rpo (D20, inferred). */
#include <tile.h>

tile_kernel void release_then_relaxed(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);
    tile_contents(x, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        token raised = tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE,
                                             TILE_DEVICE, after(stored));
        tile_store_masked_tko(tile_pointers(flag, 0), 2, true, TILE_RELAXED, TILE_DEVICE,
                              after(raised));
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
// LAUNCH grid 2
// OUTCOME allowed r0=2 r1=1
// OUTCOME forbidden r0=2 r1=0

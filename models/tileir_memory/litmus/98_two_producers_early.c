/* 98. As 96, but the third goes on at count 1. Race with the block that has not counted yet (D18,
 * A3). */
#include <tile.h>

tile_kernel void two_producers_early(int *x, int *flag, int *seen)
{
    tile_grid(3);
    tile_extent(x, 2);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token counted;
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none); // @store
        tile_atomic_tko(TILE_ADD, tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                        after(stored), &counted);
    } else if (tile_bid(0) == 1) {
        token counted;
        token stored = tile_store_ptr_tko(tile_pointers(x, 1), 1, after_none); // @other
        tile_atomic_tko(TILE_ADD, tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                        after(stored), &counted);
    } else {
        token looked, loaded, other;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) >= 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile w = tile_load_ptr_tko(tile_pointers(x, 1), after(looked), &other);  // @load_other
            tile_store_ptr_tko(tile_pointers(seen, 0), v + w, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT TR020 @other @load_other
// EXPECT observable yes
// LAUNCH grid 3

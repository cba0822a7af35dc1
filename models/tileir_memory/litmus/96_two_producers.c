/* 96. Two blocks store and count themselves by updates that release; a third acquires the count 2.
 * Race-free: the update read is the second of a chain, and so passes on the first one's release
 * too (D18, D20). */
#include <tile.h>

tile_kernel void two_producers(int *x, int *flag, int *seen)
{
    tile_grid(3);
    tile_extent(x, 2);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token counted;
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_atomic_tko(TILE_ADD, tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                        after(stored), &counted);
    } else if (tile_bid(0) == 1) {
        token counted;
        token stored = tile_store_ptr_tko(tile_pointers(x, 1), 1, after_none);
        tile_atomic_tko(TILE_ADD, tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                        after(stored), &counted);
    } else {
        token looked, loaded, other;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 2) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded);
            tile w = tile_load_ptr_tko(tile_pointers(x, 1), after(looked), &other);
            tile_store_ptr_tko(tile_pointers(seen, 0), v + w, after_none);
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 3

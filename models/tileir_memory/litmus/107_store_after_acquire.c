/* 107. The consumer stores what the producer stored, after it saw the flag. Race-free:
 * happens-before orders writes as well (D21, A6). */
#include <tile.h>

tile_kernel void store_after_acquire(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        token looked;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile_store_ptr_tko(tile_pointers(x, 0), 2, after(looked));
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

/* 153. As 152 with two blocks that each try once to clear the flag; the block that succeeds stores
 * where the producer stored. Race-free: only one of them can read 1 (A5). */
#include <tile.h>

tile_kernel void two_takers(int *x, int *flag, int *seen)
{
    tile_grid(3);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else if (tile_bid(0) == 1) {
        token looked;
        tile f = tile_atomic_cas_tko(tile_pointers(flag, 0), 1, 0, true, TILE_ACQUIRE, TILE_DEVICE,
                                     after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile_store_ptr_tko(tile_pointers(x, 0), 2, after(looked));
        }
    } else {
        token looked;
        tile f = tile_atomic_cas_tko(tile_pointers(flag, 0), 1, 0, true, TILE_ACQUIRE, TILE_DEVICE,
                                     after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile_store_ptr_tko(tile_pointers(x, 0), 3, after(looked));
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 3

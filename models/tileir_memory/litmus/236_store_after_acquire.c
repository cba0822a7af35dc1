/* 236. Block 0 stores 2 to x and raises y; block 1, if it reads y as raised, stores 1 to x.
 * Race-free (A2, all scoped). If block 1 stores, x ends as 1: coherence agrees with happens-before
 * (A6). */
#include <tile.h>

tile_kernel void store_after_acquire(int *x, int *y, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(y, 1);
    tile_extent(seen, 1);
    tile_contents(x, 0, 0);
    tile_contents(y, 0, 0);

    tile at_x = tile_pointers(x, 0), at_y = tile_pointers(y, 0);
    if (tile_bid(0) == 0) {
        token stored = tile_store_masked_tko(at_x, 2, true, TILE_RELAXED, TILE_DEVICE, after_none);
        tile_store_masked_tko(at_y, 1, true, TILE_RELEASE, TILE_DEVICE, after(stored));
    } else {
        token looked;
        tile f =
            tile_load_masked_tko(at_y, true, 0, TILE_ACQUIRE, TILE_DEVICE, after_none, &looked);
        tile_store_masked_tko(at_x, 1, true, TILE_RELAXED, TILE_DEVICE, after(looked));
        tile_store_ptr_tko(tile_pointers(seen, 0), f, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2
// OUTCOME allowed r0=1 x[0]=1
// OUTCOME allowed r0=0 x[0]=2
// OUTCOME forbidden r0=1 x[0]=2

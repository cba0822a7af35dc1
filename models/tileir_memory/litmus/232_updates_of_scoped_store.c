/* 232, the store relaxed with scope device. Race-free: all three are morally strong, so coherence
 * orders them (A4), and only one of the two updates reads the store (A5). */
#include <tile.h>

tile_kernel void updates_of_scoped_store(int *count, int *seen)
{
    tile_grid(3);
    tile_extent(count, 1);
    tile_extent(seen, 3);
    tile_contents(count, 0, 0);

    if (tile_bid(0) == 0) {
        tile_store_masked_tko(tile_pointers(count, 0), 5, true, TILE_RELAXED, TILE_DEVICE,
                              after_none);
    } else {
        token added;
        tile drawn = tile_atomic_tko(TILE_ADD, tile_pointers(count, 0), 1, true, TILE_RELAXED,
                                     TILE_DEVICE, after_none, &added);
        tile_store_ptr_tko(tile_pointers(seen, tile_bid(0)), drawn, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 3
// OUTCOME allowed r0=5 r1=6
// OUTCOME allowed r0=0 r1=5
// OUTCOME forbidden r0=5 r1=5
// OUTCOME forbidden r0=0 r1=0

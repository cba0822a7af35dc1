/* 142. Each of two blocks stores its flag and then, token-ordered, loads the other block's flag,
 * all relaxed with scope device. Race-free (A2). Both may read 0: there is no fence that makes the
 * order total (A9, D22). */
#include <tile.h>

tile_kernel void store_buffering(int *x, int *y, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(y, 1);
    tile_extent(seen, 2);
    tile_contents(x, 0, 0);
    tile_contents(y, 0, 0);

    token loaded;
    if (tile_bid(0) == 0) {
        token s = tile_store_masked_tko(tile_pointers(x, 0), 1, true, TILE_RELAXED, TILE_DEVICE,
                                        after_none);
        tile v = tile_load_masked_tko(tile_pointers(y, 0), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after(s), &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    } else {
        token s = tile_store_masked_tko(tile_pointers(y, 0), 1, true, TILE_RELAXED, TILE_DEVICE,
                                        after_none);
        tile v = tile_load_masked_tko(tile_pointers(x, 0), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after(s), &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 1), v, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2
// OUTCOME allowed r0=0 r1=0
// OUTCOME allowed r0=0 r1=1
// OUTCOME allowed r0=1 r1=0
// OUTCOME allowed r0=1 r1=1

/* 143. Each of two blocks loads the other block's flag and then stores its own, all relaxed, no
 * tokens. Race-free (A2). Both may read 1, because no value comes out of thin air there (A9). */
#include <tile.h>

tile_kernel void load_buffering(int *x, int *y, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(y, 1);
    tile_extent(seen, 2);
    tile_contents(x, 0, 0);
    tile_contents(y, 0, 0);

    token loaded;
    if (tile_bid(0) == 0) {
        tile v = tile_load_masked_tko(tile_pointers(y, 0), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after_none, &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        tile_store_masked_tko(tile_pointers(x, 0), 1, true, TILE_RELAXED, TILE_DEVICE, after_none);
    } else {
        tile v = tile_load_masked_tko(tile_pointers(x, 0), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after_none, &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 1), v, after_none);
        tile_store_masked_tko(tile_pointers(y, 0), 1, true, TILE_RELAXED, TILE_DEVICE, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2
// OUTCOME allowed r0=1 r1=1
// OUTCOME allowed r0=0 r1=0
// OUTCOME allowed r0=1 r1=0

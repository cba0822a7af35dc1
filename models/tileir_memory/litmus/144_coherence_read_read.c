/* 144. A block stores 1, another block loads the element twice, token-ordered, all relaxed with
 * scope device. Race-free, and the second load reads no older value than the first (A8). */
#include <tile.h>

tile_kernel void coherence_read_read(int *x, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(seen, 2);
    tile_contents(x, 0, 0);

    if (tile_bid(0) == 0) {
        tile_store_masked_tko(tile_pointers(x, 0), 1, true, TILE_RELAXED, TILE_DEVICE, after_none);
    } else {
        token one, two;
        tile v = tile_load_masked_tko(tile_pointers(x, 0), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after_none, &one);
        tile w = tile_load_masked_tko(tile_pointers(x, 0), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after(one), &two);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        tile_store_ptr_tko(tile_pointers(seen, 1), w, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2
// OUTCOME forbidden r0=1 r1=0
// OUTCOME allowed r0=0 r1=1
// OUTCOME allowed r0=0 r1=0
// OUTCOME allowed r0=1 r1=1

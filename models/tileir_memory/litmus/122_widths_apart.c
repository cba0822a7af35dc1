/* 122. As 120, but weak, and the byte belongs to the next int. Race-free: different locations
 * (A1). */
#include <tile.h>

tile_kernel void widths_apart(int *x, signed char *seen)
{
    tile_grid(2);
    tile_extent(x, 2);
    tile_extent(seen, 1);

    if (tile_bid(0) == 0) {
        tile_store_ptr_tko(tile_pointers(x, 0), 7, after_none);
    } else {
        token loaded;
        tile next = tile_ptr_cast(tile_pointers(x, 1), signed char);
        tile v = tile_load_ptr_tko(next, after_none, &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

/* 121. As 120, but the other block loads all four bytes, as a float. Race-free: the accesses
 * overlap completely and both scopes include the other block (A2, D6). */
#include <tile.h>

tile_kernel void widths_full(int *x, float *seen)
{
    tile_grid(2);
    tile_extent(x, 2);
    tile_extent(seen, 1);

    if (tile_bid(0) == 0) {
        tile_store_masked_tko(tile_pointers(x, 0), 7, true, TILE_RELAXED, TILE_DEVICE, after_none);
    } else {
        token loaded;
        tile same = tile_ptr_cast(tile_pointers(x, 0), float);
        tile v =
            tile_load_masked_tko(same, true, 0, TILE_RELAXED, TILE_DEVICE, after_none, &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

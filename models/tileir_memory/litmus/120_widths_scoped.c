/* 120. One block stores an int, another loads one byte of it, both relaxed with scope sys. Race:
 * accesses that overlap in part are never morally strong (D6, inferred). */
#include <tile.h>

tile_kernel void widths_scoped(int *x, signed char *seen)
{
    tile_grid(2);
    tile_extent(x, 2);
    tile_extent(seen, 1);

    tile at = tile_pointers(x, 0), low = tile_ptr_cast(at, signed char);
    token t;
    if (tile_bid(0) == 0) {
        tile_store_masked_tko(at, 7, true, TILE_RELAXED, TILE_SYS, after_none); // @store
    } else {
        tile v = tile_load_masked_tko(low, true, 0, TILE_RELAXED, TILE_SYS, after_none, &t); // @ld
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race
// EXPECT TR002 @store @ld
// EXPECT observable yes
// LAUNCH grid 2

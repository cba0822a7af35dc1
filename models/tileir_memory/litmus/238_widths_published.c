/* 238. Block 0 stores a whole int weakly and raises a flag; block 1 reads the flag and loads one
 * byte of the int. Race-free: accesses that overlap in part are not morally strong (D6), but that
 * does not matter if one happens before the other (A3). */
#include <tile.h>

tile_kernel void widths_published(int *x, int *flag, signed char *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    tile at = tile_pointers(x, 0), low = tile_ptr_cast(at, signed char);
    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(at, 7, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_ptr_tko(low, after(looked), &loaded);
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

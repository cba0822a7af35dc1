/* 239. As 50, but the wait for the flag, an int, reads only its lowest byte. Race: release and
 * acquire do not cover the same bytes, so they are not morally strong (D6, D19), and this read of
 * the flag is itself a race (A3). */
#include <tile.h>

tile_kernel void flag_read_in_part(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    tile at = tile_pointers(flag, 0), low = tile_ptr_cast(at, signed char);
    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);        // @store
        tile_store_masked_tko(at, 1, true, TILE_RELEASE, TILE_DEVICE, after(stored)); // @raise
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(low, true, 0, TILE_ACQUIRE, TILE_DEVICE, after_none, // @look
                                      &looked);
        if (tile_to_int(tile_cast(f, int)) == 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT TR002 @raise @look
// EXPECT observable yes
// LAUNCH grid 2

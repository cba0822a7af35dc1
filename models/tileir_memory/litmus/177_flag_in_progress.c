/* 177. The flag is 2, relaxed, while the datum is being written, and then 1, released; the consumer
 * proceeds with any value but 0. Race if it reads 2 (D18). */
#include <tile.h>

tile_kernel void flag_in_progress(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token begun = tile_store_masked_tko(tile_pointers(flag, 0), 2, true, TILE_RELAXED,
                                            TILE_DEVICE, after_none);
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after(begun)); // @store
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) != 0) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 2

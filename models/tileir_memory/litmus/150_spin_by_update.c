/* 150. As 109, but the consumer waits by an update that changes nothing (an or of 0). Race-free: an
 * update that reads 1 observes the release as a load does (D18). */
#include <tile.h>

tile_kernel void spin_by_update(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        tile at = tile_pointers(flag, 0);
        token looked, loaded;
        int f;
        do
            f = tile_atomic_tko(TILE_OR, at, 0, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                                &looked);
        while (f == 0);
        tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

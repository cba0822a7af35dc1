/* 152. As 109, but the flag is cleared by a compare-and-swap from 1 to 0. Race-free: it succeeds
 * only if it reads 1, and so it observed the release (D18). */
#include <tile.h>

tile_kernel void spin_by_swap(int *x, int *flag, int *seen)
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
            f = tile_atomic_cas_tko(at, 1, 0, true, TILE_ACQUIRE, TILE_DEVICE, after_none, &looked);
        while (f != 1);
        tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

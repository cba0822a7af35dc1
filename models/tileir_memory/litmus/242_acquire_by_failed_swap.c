/* 242. As 50, but the flag is read by a compare-and-swap that expects 0, and the block proceeds if
 * it fails. Race-free: a failed compare-and-swap reads as well, and the value that it read was
 * released (D18); it writes nothing. */
#include <tile.h>

tile_kernel void acquire_by_failed_swap(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    tile at = tile_pointers(flag, 0);
    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_store_masked_tko(at, 1, true, TILE_RELEASE, TILE_DEVICE, after(stored));
    } else {
        token looked, loaded;
        tile f =
            tile_atomic_cas_tko(at, 0, 2, true, TILE_ACQUIRE, TILE_DEVICE, after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded);
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

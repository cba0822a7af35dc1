/* 215. One block raises a flag, two others try to clear it, and the block that succeeds stores.
 * Race-free without any release: only one reads 1 (A5). */
#include <tile.h>

tile_kernel void one_raised(int *x, int *flag)
{
    tile_grid(3);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_contents(flag, 0, 0);

    int b = tile_bid(0);
    if (b < 1) {
        tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELAXED, TILE_DEVICE);
    } else if (tile_to_int(
                   tile_atomic_cas(tile_pointers(flag, 0), 1, 0, TILE_RELAXED, TILE_DEVICE)) == 1) {
        x[0] = b;
    }
}

// EXPECT verdict race-free
// LAUNCH grid 3

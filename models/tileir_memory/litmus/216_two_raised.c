/* 216. As 215, but two blocks raise the flag. Race: both of the others may read 1. */
#include <tile.h>

tile_kernel void two_raised(int *x, int *flag)
{
    tile_grid(4);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_contents(flag, 0, 0);

    int b = tile_bid(0);
    if (b < 2) {
        tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELAXED, TILE_DEVICE);
    } else if (tile_to_int(
                   tile_atomic_cas(tile_pointers(flag, 0), 1, 0, TILE_RELAXED, TILE_DEVICE)) == 1) {
        x[0] = b; // @store
    }
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 4

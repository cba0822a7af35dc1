/* 281. Row 280, proceeding in either case. Race: the second read may have returned 0 as well. */
#include <tile.h>

tile_kernel void wait_with_limit_ignored(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        x[0] = 1; // @store
        tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        int up = 0;
        for (int i = 0; i < 2; i++) {
            up = tile_to_int(tile_atomic_or(tile_pointers(flag, 0), 0, TILE_ACQUIRE, TILE_DEVICE));
            if (up != 0)
                break;
        }
        if (up >= 0)
            seen[0] = x[0]; // @load
    }
}

// EXPECT verdict race
// EXPECT TR018 @store @load
// EXPECT observable yes
// LAUNCH grid 2

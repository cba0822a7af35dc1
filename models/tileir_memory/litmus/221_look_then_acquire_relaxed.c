/* 221. As 217, but the flag is raised by a relaxed update. Race: there is no release, although the
 * acquire reads the update's value (D18). */
#include <tile.h>

tile_kernel void look_then_acquire_relaxed(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        x[0] = 1; // @store
        tile_atomic_add(tile_pointers(flag, 0), 1, TILE_RELAXED, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_atomic_or(tile_pointers(flag, 0), 0, TILE_RELAXED, TILE_DEVICE)) ==
               0)
            ;
        tile_atomic_or(tile_pointers(flag, 0), 0, TILE_ACQUIRE, TILE_DEVICE);
        seen[0] = x[0]; // @load
    }
}

// EXPECT verdict race
// EXPECT TR014 @store @load
// EXPECT observable yes
// LAUNCH grid 2

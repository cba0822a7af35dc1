/* 217. A block waits with relaxed loads, and then acquires without testing the value. Race-free:
 * the acquire cannot read an older value than the wait has read (A8). */
#include <tile.h>

tile_kernel void look_then_acquire(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        x[0] = 1;
        tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        while (tile_to_int(tile_atomic_or(tile_pointers(flag, 0), 0, TILE_RELAXED, TILE_DEVICE)) ==
               0)
            ;
        tile_atomic_or(tile_pointers(flag, 0), 0, TILE_ACQUIRE, TILE_DEVICE);
        seen[0] = x[0];
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

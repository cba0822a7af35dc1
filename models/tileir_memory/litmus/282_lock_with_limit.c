/* 282. A lock that is tried at most twice; a block that holds it adds to the data. Race-free: a
 * block that has not acquired the lock touches nothing (row 76). */
#include <tile.h>

tile_kernel void lock_with_limit(int *x, int *lock)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);

    bool taken = false;
    for (int i = 0; i < 2; i++) {
        if (tile_to_int(tile_atomic_cas(tile_pointers(lock, 0), 0, 1, TILE_ACQUIRE, TILE_DEVICE)) ==
            0) {
            taken = true;
            break;
        }
    }
    if (taken) {
        x[0] = x[0] + 1;
        tile_atomic_xchg(tile_pointers(lock, 0), 0, TILE_RELEASE, TILE_DEVICE);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2

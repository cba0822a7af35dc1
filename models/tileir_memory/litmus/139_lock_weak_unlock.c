/* 139. A lock released by a weak store. Race on the lock itself: the weak store has no scope, so it
 * is ordered neither with the attempts of other blocks (A2) nor with the failed attempts of its own
 * block, whose tokens it does not take (D17). Race on the datum as well, because the lock no longer
 * orders it (D18). */
#include <tile.h>

tile_kernel void lock_weak_unlock(int *d, int *lock, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, 0);
    token t, loaded;
    int got;
    do
        got =
            tile_atomic_cas_tko(mine, 0, 1, true, TILE_ACQUIRE, TILE_DEVICE, after_none, &t); // @c
    while (got != 0);
    tile v = tile_load_ptr_tko(data, after(t), &loaded);           // @load
    token stored = tile_store_ptr_tko(data, v + 1, after(loaded)); // @store
    tile_store_ptr_tko(mine, 0, after(stored));                    // @unlock
}

// EXPECT verdict race
// EXPECT TR003 @c @unlock
// EXPECT TR005 @c @unlock
// EXPECT TR001 @unlock @unlock
// EXPECT TR014 @load @store
// EXPECT TR014 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

/* 77. As 76, but the lock is released by a relaxed exchange. Race on the datum: acquiring the lock
 * observes no release (D18). */
#include <tile.h>

tile_kernel void lock_relaxed_unlock(int *d, int *lock, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, 0);
    token taken, loaded, freed;
    while (tile_to_int(tile_atomic_cas_tko(mine, 0, 1, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                                           &taken)) != 0)
        ;
    tile v = tile_load_ptr_tko(data, after(taken), &loaded);       // @load
    token stored = tile_store_ptr_tko(data, v + 1, after(loaded)); // @store
    tile_atomic_tko(TILE_XCHG, mine, 0, true, TILE_RELAXED, TILE_DEVICE, after(stored), &freed);
}

// EXPECT verdict race
// EXPECT TR014 @load @store
// EXPECT TR014 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

/* 76. A datum under a lock, which is acquired by an acquiring compare-and-swap and released by a
 * releasing exchange; load and store are token-ordered to both. Race-free: a block that acquires
 * the lock observes the release of the preceding holder (D18, A5), so the holders come one after
 * the other (D21). */
#include <tile.h>

tile_kernel void spin_lock(int *d, int *lock, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);
    tile_contents(d, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, 0);
    token taken, loaded, freed;
    while (tile_to_int(tile_atomic_cas_tko(mine, 0, 1, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                                           &taken)) != 0)
        ;
    tile v = tile_load_ptr_tko(data, after(taken), &loaded);
    token stored = tile_store_ptr_tko(data, v + 1, after(loaded));
    tile_atomic_tko(TILE_XCHG, mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored), &freed);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3
// OUTCOME forbidden d[0]=0

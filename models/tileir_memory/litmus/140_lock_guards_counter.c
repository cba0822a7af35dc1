/* 140. An ordinary number under a lock: each block reads it and stores one more. So each block
 * learns how many came before it, and uses this number as an index. Race-free: the lock orders the
 * accesses to the number (D18), so no two blocks read the same. */
#include <tile.h>

tile_kernel void lock_guards_counter(int *d, int *lock, int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_extent(x, blocks);
    tile_contents(lock, 0, 0);
    tile_contents(d, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, 0);
    token taken, loaded;
    while (tile_to_int(tile_atomic_cas_tko(mine, 0, 1, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                                           &taken)) != 0)
        ;
    tile v = tile_load_ptr_tko(data, after(taken), &loaded);
    token stored = tile_store_ptr_tko(data, v + 1, after(loaded));
    tile_store_masked_tko(mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored));
    int before = tile_to_int(v);
    if (0 <= before && before < blocks)
        tile_store_ptr_tko(tile_pointers(x, before), 1, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

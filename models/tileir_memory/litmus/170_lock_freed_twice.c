/* 170. As 76, but the lock is released twice. Race: at the second release, another block may hold
 * it (A3). */
#include <tile.h>

tile_kernel void lock_freed_twice(int *d, int *lock, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, 0);
    token taken, loaded;
    while (tile_to_int(tile_atomic_cas_tko(mine, 0, 1, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                                           &taken)) != 0)
        ;
    tile v = tile_load_ptr_tko(data, after(taken), &loaded);       // @load
    token stored = tile_store_ptr_tko(data, v + 1, after(loaded)); // @store
    tile_store_masked_tko(mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored));
    tile_store_masked_tko(mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored));
}

// EXPECT verdict race
// EXPECT TR021 @load @store
// EXPECT TR021 @store @store
// EXPECT observable yes
// LAUNCH grid 3 blocks 3

/* 176. As 76, but on one branch the release of the lock is ordered only after the load. Race with
 * the store there (D13, D18). */
#include <tile.h>

tile_kernel void lock_unlock_untokened_branch(int *d, int *lock, int blocks)
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
    tile v = tile_load_ptr_tko(data, after(taken), &loaded); // @load
    token stored = loaded;
    token other = tile_store_ptr_tko(data, v + 1, after(loaded)); // @store
    if (tile_bid(0) > 0)
        stored = other;
    tile_store_masked_tko(mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored));
}

// EXPECT verdict race
// EXPECT TR016 @load @store
// EXPECT TR016 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

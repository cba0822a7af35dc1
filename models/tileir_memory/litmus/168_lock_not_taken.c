/* 168. As 76, but the compare-and-swap writes 0 over 0. Race: it excludes no other block (A3). */
#include <tile.h>

tile_kernel void lock_not_taken(int *d, int *lock, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, 0);
    token taken, loaded;
    while (tile_to_int(tile_atomic_cas_tko(mine, 0, 0, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                                           &taken)) != 0)
        ;
    tile v = tile_load_ptr_tko(data, after(taken), &loaded);       // @load
    token stored = tile_store_ptr_tko(data, v + 1, after(loaded)); // @store
    tile_store_masked_tko(mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored));
}

// EXPECT verdict race
// EXPECT TR018 @load @store
// EXPECT TR018 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

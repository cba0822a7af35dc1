/* 78. As 76, but load and store are not token-ordered to the lock. Race on the datum: a lock orders
 * only what tokens order to it (D11, D18). */
#include <tile.h>

tile_kernel void lock_no_token(int *d, int *lock, int blocks)
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
    tile v = tile_load_ptr_tko(data, after_none, &loaded); // @load
    tile_store_ptr_tko(data, v + 1, after(loaded));        // @store
    tile_atomic_tko(TILE_XCHG, mine, 0, true, TILE_RELEASE, TILE_DEVICE, after_none, &freed);
}

// EXPECT verdict race
// EXPECT TR021 @load @store
// EXPECT TR021 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

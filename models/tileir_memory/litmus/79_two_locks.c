/* 79. One datum under two locks, each used by half of the blocks. Race: blocks that hold different
 * locks do not synchronise at one location (D18). */
#include <tile.h>

tile_kernel void two_locks(int *d, int *lock, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(d, 1);
    tile_extent(lock, 2);
    tile_contents(lock, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, tile_bid(0) % 2);
    token taken, loaded, freed;
    while (tile_to_int(tile_atomic_cas_tko(mine, 0, 1, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                                           &taken)) != 0)
        ;
    tile v = tile_load_ptr_tko(data, after(taken), &loaded);       // @load
    token stored = tile_store_ptr_tko(data, v + 1, after(loaded)); // @store
    tile_atomic_tko(TILE_XCHG, mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored), &freed);
}

// EXPECT verdict race
// EXPECT TR022 @load @store
// EXPECT TR022 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

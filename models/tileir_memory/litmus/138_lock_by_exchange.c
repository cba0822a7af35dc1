/* 138. A lock acquired by an acquiring exchange and released by a releasing store. Race-free, as
 * with compare-and-swap: a block that reads 0 observed the release of the preceding holder (D18,
 * A5). */
#include <tile.h>

tile_kernel void lock_by_exchange(int *d, int *lock, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);
    tile_contents(d, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, 0);
    token taken, loaded;
    while (tile_to_int(tile_atomic_tko(TILE_XCHG, mine, 1, true, TILE_ACQUIRE, TILE_DEVICE,
                                       after_none, &taken)) != 0)
        ;
    tile v = tile_load_ptr_tko(data, after(taken), &loaded);
    token stored = tile_store_ptr_tko(data, v + 1, after(loaded));
    tile_store_masked_tko(mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored));
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3
// OUTCOME forbidden d[0]=0
// OUTCOME forbidden d[0]=1

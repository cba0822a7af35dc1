/* 141. A lock that is tried once; only a block that acquired it touches the datum and releases the
 * lock. Race-free (D18). */
#include <tile.h>

tile_kernel void try_lock(int *d, int *lock, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(d, 1);
    tile_extent(lock, 1);
    tile_contents(lock, 0, 0);

    tile data = tile_pointers(d, 0), mine = tile_pointers(lock, 0);
    token taken, loaded;
    if (tile_to_int(tile_atomic_cas_tko(mine, 0, 1, true, TILE_ACQUIRE, TILE_DEVICE, after_none,
                                        &taken)) == 0) {
        tile v = tile_load_ptr_tko(data, after(taken), &loaded);
        token stored = tile_store_ptr_tko(data, v + 1, after(loaded));
        tile_store_masked_tko(mine, 0, true, TILE_RELEASE, TILE_DEVICE, after(stored));
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

/* 208. A ticket lock: each block takes a ticket and waits until its number is called. Race-free:
 * each turn is released to the next (D18), and no two blocks have one ticket (A5). */
#include <tile.h>

tile_kernel void turns(int *d, int *next, int *now, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(d, 1);
    tile_extent(next, 1);
    tile_extent(now, 1);
    tile_contents(next, 0, 0);
    tile_contents(now, 0, 0);

    int mine = tile_atomic_add(tile_pointers(next, 0), 1, TILE_RELAXED, TILE_DEVICE);
    while (tile_to_int(tile_atomic_or(tile_pointers(now, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) != mine)
        ;
    d[0] = d[0] + 1;
    tile_store_ptr_at(tile_pointers(now, 0), mine + 1, TILE_RELEASE, TILE_DEVICE);
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2

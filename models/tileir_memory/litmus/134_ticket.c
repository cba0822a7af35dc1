/* 134. Every block takes a ticket and stores the element with that number. Race-free: updates of
 * one location are in one order, and nothing comes between the two halves of each, so no two read
 * the same number (A4, A5). */
#include <tile.h>

tile_kernel void ticket(int *x, int *next, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);
    tile_extent(next, 1);
    tile_contents(next, 0, 0);

    token drawn;
    tile at = tile_pointers(next, 0);
    int t = tile_to_int(
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &drawn));
    if (0 <= t && t < blocks)
        tile_store_ptr_tko(tile_pointers(x, t), 1, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3
// OUTCOME always x[0]=1
// OUTCOME always x[4]=1

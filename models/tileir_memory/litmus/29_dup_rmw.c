/* 29. One atomic addition through two equal pointers. Race-free: each element is one update with a
 * scope, morally strong with the other (A2), and nothing comes between its halves (A5). */
#include <tile.h>

tile_kernel void dup_rmw(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);

    tile both = tile_pointers(x, tile_full(tile_bid(0), 2)); /* one element, twice */

    token added;
    tile_atomic_tko(TILE_ADD, both, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &added);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

/* 25. As 24, relaxed with scope tl_blk. Race-free: its elements are morally strong with each other
 * (A2, D10). Which value stays is not specified. */
#include <tile.h>

tile_kernel void self_overlap_scoped(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);

    tile both = tile_pointers(x, tile_full(tile_bid(0), 2)); /* one element, twice */

    tile_store_masked_tko(both, tile_iota(2), true, TILE_RELAXED, TILE_BLOCK, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
// OUTCOME allowed x[0]=0
// OUTCOME allowed x[0]=1

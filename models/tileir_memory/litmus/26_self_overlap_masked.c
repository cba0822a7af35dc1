/* 26. As 24, but one of the two elements is masked off. Race-free: it makes no event (D3). */
#include <tile.h>

tile_kernel void self_overlap_masked(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);

    tile both = tile_pointers(x, tile_full(tile_bid(0), 2)); /* one element, twice */

    tile first = tile_lt(tile_iota(2), 1);
    tile_store_masked_tko(both, tile_iota(2), first, TILE_WEAK, TILE_NO_SCOPE, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

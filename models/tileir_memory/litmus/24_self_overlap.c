/* 24. One store through two equal pointers. Race of its own elements: they are writes that nothing
 * orders (D1, A3). */
#include <tile.h>

tile_kernel void self_overlap(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);

    tile both = tile_pointers(x, tile_full(tile_bid(0), 2)); /* one element, twice */

    tile_store_ptr_tko(both, tile_iota(2), after_none); // @store
}

// EXPECT verdict race
// EXPECT TR004 @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

/* 34. Two axes of blocks, of which only one is in the index. Race: two blocks write each tile (A1,
 * A3), which is a race even if they write the same value (43). */
#include <tile.h>

enum { T = 2 };

tile_kernel void grid_axis_unused(int *x, int blocks)
{
    tile_grid(blocks, 2);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);

    tile_store_tko(X, tile_bid(1), after_none, tile_bid(0)); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 1,2 blocks 1
// LAUNCH grid 2,2 blocks 2

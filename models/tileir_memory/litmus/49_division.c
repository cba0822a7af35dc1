/* 49. The tile's number is the block's divided by 2. Race: blocks 0 and 1 share a tile (A1, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void division(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);

    tile_store_tko(X, tile_bid(0), after_none, tile_bid(0) / 2); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

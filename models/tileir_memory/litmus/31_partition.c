/* 31. Every block stores the tile of its own number. Race-free: different blocks, different tiles,
 * no conflict (A1). */
#include <tile.h>

enum { T = 2 };

tile_kernel void partition(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);

    tile_store_tko(X, tile_bid(0), after_none, tile_bid(0));
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3

/* 10. Two stores of different tiles without a token. Race-free: different locations, no conflict
 * (A1). */
#include <tile.h>

enum { T = 2 };

tile_kernel void disjoint_no_token(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, 2l * T * blocks);

    tile_view X = tile_partition(tile_tensor(x, 2 * T * blocks), T);
    int b = tile_bid(0);

    tile_store_tko(X, 1, after_none, 2 * b);
    tile_store_tko(X, 2, after_none, 2 * b + 1);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

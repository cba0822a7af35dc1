/* 5. Two stores of one tile without a token. Race (D11, A3): there is neither rpo nor a scope, so
 * the stores do not even have a coherence order (A4). */
#include <tile.h>

enum { T = 2 };

tile_kernel void waw_none(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    int b = tile_bid(0);

    tile_store_tko(X, 1, after_none, b); // @one
    tile_store_tko(X, 2, after_none, b); // @two
}

// EXPECT verdict race
// EXPECT TR003 @one @two
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

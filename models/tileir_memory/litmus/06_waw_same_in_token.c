/* 6. Two stores that take the same token. Race: a token orders its producer before its consumers,
 * but not the consumers among themselves (D12, D15). */
#include <tile.h>

enum { T = 2 };

tile_kernel void waw_same_in_token(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    int b = tile_bid(0);

    token begun = make_token();
    tile_store_tko(X, 1, after(begun), b); // @one
    tile_store_tko(X, 2, after(begun), b); // @two
}

// EXPECT verdict race
// EXPECT TR003 @one @two
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

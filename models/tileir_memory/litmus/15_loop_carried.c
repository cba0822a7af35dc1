/* 15. A loop stores one tile in every iteration and carries the token. Race-free: iteration i+1
 * takes the token that iteration i made (D13, D15). */
#include <tile.h>

enum { T = 2 };

tile_kernel void loop_carried(int *x, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 1 < n);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    int b = tile_bid(0);

    token last = make_token();
    for (int i = 0; i < n; i++)
        last = tile_store_tko(X, i, after(last), b);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 n 2
// LAUNCH grid 2 blocks 2 n 3

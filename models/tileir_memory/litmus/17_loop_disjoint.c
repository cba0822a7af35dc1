/* 17. Every iteration stores its own tile, and all take the token from before the loop. Race-free:
 * different tiles of a view that does not overlap itself, no conflict (A1). */
#include <tile.h>

enum { T = 2 };

tile_kernel void loop_disjoint(int *x, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 4 < n && n <= 1 << 20);
    tile_extent(x, (long)T * n * blocks);

    tile_view X = tile_partition(tile_tensor(x, blocks, T * n), 1, T);
    int b = tile_bid(0);

    token begun = make_token();
    for (int i = 0; i < n; i++)
        tile_store_tko(X, i, after(begun), b, i);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 n 5
// LAUNCH grid 2 blocks 2 n 6

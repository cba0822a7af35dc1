/* 21. Nested loops whose inner store takes no token. Race under both readings of D17: outer
 * iterations store the same tiles again, and there is no token that orders them (D11, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void nest_uncarried(int *x, int blocks, int n, int m)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 0 < n && 1 < m && n <= 1 << 20);
    tile_extent(x, (long)T * n * blocks);

    tile_view X = tile_partition(tile_tensor(x, blocks, T * n), 1, T);
    int b = tile_bid(0);

    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            tile_store_tko(X, j, after_none, b, i); // @store
}

// EXPECT verdict race
// EXPECT TR003 @store @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 n 1 m 2
// LAUNCH grid 2 blocks 2 n 2 m 2

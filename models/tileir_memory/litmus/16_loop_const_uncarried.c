/* 16. As 15, but every iteration takes the token from before the loop. Race between two iterations
 * of the store: they consume the same token, as in 6 (D12, D17). */
#include <tile.h>

enum { T = 2 };

tile_kernel void loop_const_uncarried(int *x, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 1 < n);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    int b = tile_bid(0);

    token begun = make_token();
    for (int i = 0; i < n; i++)
        tile_store_tko(X, i, after(begun), b); // @store
}

// EXPECT verdict race
// EXPECT TR003 @store @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 n 2
// LAUNCH grid 2 blocks 2 n 3

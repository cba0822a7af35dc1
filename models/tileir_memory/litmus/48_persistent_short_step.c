/* 48, with more blocks than the step. Race: block 0 reaches the tile with which block `step` starts
 * (A1, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void persistent_short_step(int *x, int n, int step, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < step && step <= 1 << 20 && 0 < n && n <= 1 << 20 && step < blocks &&
                blocks <= 1 << 20 && step < n);
    tile_extent(x, (long)T * n);

    tile_view X = tile_partition(tile_tensor(x, T * n), T);
    for (int t = tile_bid(0); t < n; t += step)
        tile_store_tko(X, tile_bid(0), after_none, t); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 2 n 2 step 1 blocks 2
// LAUNCH grid 3 n 5 step 2 blocks 3

/* 48. Every block goes through the tiles with a step of at least the number of blocks. Race-free:
 * first tiles of different blocks differ by less than a step (A1). A larger step leaves tiles out,
 * which is not a race. */
#include <tile.h>

enum { T = 2 };

tile_kernel void persistent(int *x, int n, int step, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < step && step <= 1 << 20 && 0 < n && n <= 1 << 20 && 0 < blocks &&
                blocks <= step);
    tile_extent(x, (long)T * n);

    tile_view X = tile_partition(tile_tensor(x, T * n), T);
    for (int t = tile_bid(0); t < n; t += step)
        tile_store_tko(X, tile_bid(0), after_none, t);
}

// EXPECT verdict race-free
// LAUNCH grid 2 n 5 step 2 blocks 2
// LAUNCH grid 2 n 4 step 3 blocks 2

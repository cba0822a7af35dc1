/* 45. Every block loads its tile and stores it again after the load. Race-free: rpo in the block
 * (D16), other tiles in the other blocks (A1). */
#include <tile.h>

enum { T = 2 };

tile_kernel void in_place(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(X, after_none, &loaded, b);
    tile_store_tko(X, v + 1, after(loaded), b);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3

/* 83. A kernel stores, the next kernel of the stream loads. Race-free: a launch ends before the
 * next one begins (D23). */
#include <tile.h>

enum { T = 2 };

tile_kernel void two_launches_first(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_store_tko(X, 1, after_none, tile_bid(0));
}

tile_kernel void two_launches(const int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(X, after_none, &loaded, b);
    tile_store_tko(S, v, after_none, b);
}

// EXPECT kernel two_launches_first
// EXPECT verdict race-free
// EXPECT kernel two_launches
// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 after two_launches_first
// LAUNCH grid 2 blocks 2 after two_launches_first

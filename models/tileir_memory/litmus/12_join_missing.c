/* 12. As 11, but the store takes only one load's token. Race with the other load (D15, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void join_missing(int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token one, two;
    tile v = tile_load_tko(X, after_none, &one, b);
    tile w = tile_load_tko(X, after_none, &two, b); // @load
    tile_store_tko(X, 1, after(one), b);            // @store
    tile_store_tko(S, v + w, after_none, b);
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

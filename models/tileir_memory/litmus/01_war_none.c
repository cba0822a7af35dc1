/* 1. A load and then a store of the same tile, no token between them. Race: program order does not
 * order memory (D11), so neither happens before the other (D16, D21); they conflict (A1), and a
 * weak access includes no block (A2, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void war_none(int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(X, after_none, &loaded, b); // @load
    tile_store_tko(X, 1, after_none, b);               // @store
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

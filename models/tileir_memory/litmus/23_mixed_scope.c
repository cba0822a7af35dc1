/* 23. As 22, but the load is weak. Race: a weak access includes no block, and to be morally strong
 * both accesses need a scope (A2, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void mixed_scope(int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile_store_tko_at(X, 1, TILE_RELAXED, TILE_BLOCK, after_none, b); // @store
    tile v = tile_load_tko(X, after_none, &loaded, b);                // @load
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race
// EXPECT TR003 @store @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

/* 149. Both kernels store the same tiles, the second one without waiting. Race (A1, D23). */
#include <tile.h>

enum { T = 2 };

tile_kernel void pdl_waw_first(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    token stored = tile_store_tko(X, 1, after_none, tile_bid(0));
    tile_gdc_launch_dependents_tko(after(stored));
}

tile_kernel void pdl_waw(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_dependent_launch();
    tile_predecessor_writes(x);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_store_tko(X, 2, after_none, tile_bid(0)); // @store
}

// EXPECT kernel pdl_waw_first
// EXPECT verdict race-free
// EXPECT kernel pdl_waw
// EXPECT verdict race
// EXPECT TR001 @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 after pdl_waw_first
// LAUNCH grid 2 blocks 2 after pdl_waw_first

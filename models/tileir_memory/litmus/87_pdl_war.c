/* 87. The preceding kernel reads what the second one stores before it waits. Race: the reads may
 * come after the store (D23). */
#include <tile.h>

enum { T = 2 };

tile_kernel void pdl_war_first(const int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    token loaded;
    tile_gdc_launch_dependents_tko(after_none);
    tile v = tile_load_tko(X, after_none, &loaded, tile_bid(0));
    tile_store_tko(S, v, after_none, tile_bid(0));
}

tile_kernel void pdl_war(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_dependent_launch();
    tile_predecessor_reads(x);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_store_tko(X, 2, after_none, tile_bid(0)); // @store
    tile_gdc_wait_tko(after_none);
}

// EXPECT kernel pdl_war_first
// EXPECT verdict race-free
// EXPECT kernel pdl_war
// EXPECT verdict race
// EXPECT TR002 @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 after pdl_war_first
// LAUNCH grid 2 blocks 2 after pdl_war_first

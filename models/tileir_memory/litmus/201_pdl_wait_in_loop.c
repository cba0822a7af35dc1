/* 201. As 85, but the wait is in a loop that may have no iteration. Race if it has none (D13,
 * D23). */
#include <tile.h>

enum { T = 2 };

tile_kernel void pdl_wait_in_loop_first(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    token stored = tile_store_tko(X, 1, after_none, tile_bid(0));
    tile_gdc_launch_dependents_tko(after(stored));
}

tile_kernel void pdl_wait_in_loop(const int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);
    tile_dependent_launch();
    tile_predecessor_writes(x);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token reached = make_token(), loaded;
    for (int i = 0; i < b; i++)
        reached = tile_gdc_wait_tko(after(reached));
    tile v = tile_load_tko(X, after(reached), &loaded, b); // @load
    tile_store_tko(S, v, after_none, b);
}

// EXPECT kernel pdl_wait_in_loop_first
// EXPECT verdict race-free
// EXPECT kernel pdl_wait_in_loop
// EXPECT verdict race
// EXPECT TR002 @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 after pdl_wait_in_loop_first
// LAUNCH grid 2 blocks 2 after pdl_wait_in_loop_first

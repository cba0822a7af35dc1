/* 84. As 83, but the second kernel is launched while the first may still run, and does not wait.
 * Race: letting dependents start orders no memory (D22, D23). */
#include <tile.h>

enum { T = 2 };

tile_kernel void pdl_no_wait_first(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    token stored = tile_store_tko(X, 1, after_none, tile_bid(0));
    tile_gdc_launch_dependents_tko(after(stored));
}

tile_kernel void pdl_no_wait(const int *x, int *seen, int blocks)
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

    token loaded;
    tile v = tile_load_tko(X, after_none, &loaded, b); // @load
    tile_store_tko(S, v, after_none, b);
}

// EXPECT kernel pdl_no_wait_first
// EXPECT verdict race-free
// EXPECT kernel pdl_no_wait
// EXPECT verdict race
// EXPECT TR002 @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 after pdl_no_wait_first
// LAUNCH grid 2 blocks 2 after pdl_no_wait_first

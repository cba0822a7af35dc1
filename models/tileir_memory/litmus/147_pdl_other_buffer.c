/* 147. As 85, but before its wait the second kernel stores to a buffer that the first kernel does
 * not touch. Race-free: no conflict (A1). */
#include <tile.h>

enum { T = 2 };

tile_kernel void pdl_other_buffer_first(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    token stored = tile_store_tko(X, 1, after_none, tile_bid(0));
    tile_gdc_launch_dependents_tko(after(stored));
}

tile_kernel void pdl_other_buffer(const int *x, int *seen, int blocks)
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

    token waited = tile_gdc_wait_tko(after_none), loaded;
    token stored = tile_store_tko(S, 0, after_none, b);
    tile v = tile_load_tko(X, after(waited), &loaded, b);
    tile_store_tko(S, v, after(stored), b);
}

// EXPECT kernel pdl_other_buffer_first
// EXPECT verdict race-free
// EXPECT kernel pdl_other_buffer
// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 after pdl_other_buffer_first
// LAUNCH grid 2 blocks 2 after pdl_other_buffer_first

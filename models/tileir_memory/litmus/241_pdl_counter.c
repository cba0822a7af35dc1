/* 241. The preceding kernel, and this one, launched before its end, add to one counter with scope
 * device and without a wait. Race-free: blocks of both are on one GPU, so the updates are morally
 * strong (A2, D8); no order between the launches is needed (D23). */
#include <tile.h>

tile_kernel void pdl_counter_first(int *count, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(count, 1);

    token added;
    tile_atomic_tko(TILE_ADD, tile_pointers(count, 0), 1, true, TILE_RELAXED, TILE_DEVICE,
                    after_none, &added);
    tile_gdc_launch_dependents_tko(after(added));
}

tile_kernel void pdl_counter(int *count, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(count, 1);
    tile_dependent_launch();
    tile_predecessor_writes(count);

    token added;
    tile_atomic_tko(TILE_ADD, tile_pointers(count, 0), 1, true, TILE_RELAXED, TILE_DEVICE,
                    after_none, &added);
}

// EXPECT kernel pdl_counter_first
// EXPECT verdict race-free
// EXPECT kernel pdl_counter
// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2 after pdl_counter_first

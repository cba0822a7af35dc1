/* 36. As 35, but tiles of 2 start every 4 elements. Race-free: there are gaps between them (A1). */
#include <tile.h>

enum { T = 2, STEP = 4 };

tile_kernel void gap_stride(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)STEP * (blocks - 1) + T);

    tile_tensor all = tile_tensor(x, STEP * (blocks - 1) + T);
    tile_view S = tile_strided(all, tile_shape(T), tile_steps(STEP));

    tile_store_tko(S, tile_bid(0), after_none, tile_bid(0));
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3

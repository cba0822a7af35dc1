/* 35. A strided view whose tiles of 4 start every 2 elements. Race: neighbours share two elements
 * (A1, A3). */
#include <tile.h>

enum { T = 4, STEP = 2 };

tile_kernel void overlap_stride(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)STEP * (blocks - 1) + T);

    tile_tensor all = tile_tensor(x, STEP * (blocks - 1) + T);
    tile_view S = tile_strided(all, tile_shape(T), tile_steps(STEP));

    tile_store_tko(S, tile_bid(0), after_none, tile_bid(0)); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

/* 30. A store through a 2-D view and a load through a 1-D view of the same pointer, no token.
 * Race: views of one base carry no order (D11, A1, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void two_views(int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view V2 = tile_partition(tile_tensor(x, blocks, T), 1, T);
    tile_view V1 = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile_store_tko(V2, 1, after_none, b, 0);            // @store
    tile v = tile_load_tko(V1, after_none, &loaded, b); // @load
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race
// EXPECT TR003 @store @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

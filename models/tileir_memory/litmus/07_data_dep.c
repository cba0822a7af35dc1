/* 7. The stored value is computed from the loaded value. Race all the same: data dependence does
 * not order memory, and a compiler may remove it (D11, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void data_dep(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(X, after_none, &loaded, b); // @load
    tile_store_tko(X, v + 1, after_none, b);           // @store
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

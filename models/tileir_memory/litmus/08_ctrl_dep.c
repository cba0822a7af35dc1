/* 8. Whether the store runs depends on the loaded value. Race all the same: control dependence does
 * not order memory either (D11, A3). The contents are 1, so the store runs. */
#include <tile.h>

tile_kernel void ctrl_dep(int *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);
    tile_contents(x, 1, 1);

    tile_view X = tile_partition(tile_tensor(x, blocks), 1);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(X, after_none, &loaded, b); // @load
    if (tile_to_int(v) == 1)
        tile_store_tko(X, 2, after_none, b); // @store
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable no
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

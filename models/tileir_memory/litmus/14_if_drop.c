/* 14. As 13, but the load takes the token from before the `if`. Race if the store runs (D13, D15,
 * A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void if_drop(int *x, int *seen, int blocks, int c)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token begun = make_token(), loaded;
    if (c > 0)
        tile_store_tko(X, 1, after(begun), b);           // @store
    tile v = tile_load_tko(X, after(begun), &loaded, b); // @load
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race
// EXPECT TR003 @store @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 c 1
// LAUNCH grid 2 blocks 2 c 1

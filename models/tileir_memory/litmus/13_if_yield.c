/* 13. A store on one branch only; the branches yield the token that the load takes. Race-free:
 * tokens are values that an `if` yields (D13), and a chain of tokens continues through it (D15). */
#include <tile.h>

enum { T = 2 };

tile_kernel void if_yield(int *x, int *seen, int blocks, int c)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token begun = make_token(), reached = begun, loaded;
    if (c > 0)
        reached = tile_store_tko(X, 1, after(begun), b);
    tile v = tile_load_tko(X, after(reached), &loaded, b);
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 c 1
// LAUNCH grid 2 blocks 2 c 1
// LAUNCH grid 1 blocks 1 c 0

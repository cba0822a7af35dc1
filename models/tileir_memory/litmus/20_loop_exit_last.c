/* 20. As 19, but only the last iteration's token leaves the loop. Race with the store of iteration
 * 3, whose token no operation takes: the execution of every iteration makes its own token (D17,
 * per-iteration reading). */
#include <tile.h>

enum { T = 2 };

tile_kernel void loop_exit_last(int *x, int *seen, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 4 < n && n <= 1 << 20);
    tile_extent(x, (long)T * n * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, blocks, T * n), 1, T);
    tile_view S = tile_partition(tile_tensor(seen, blocks, T), 1, T);
    int b = tile_bid(0);

    token begun = make_token(), last = begun, loaded;
    for (int i = 0; i < n; i++)
        last = tile_store_tko(X, i, after(begun), b, i);   // @store
    tile v = tile_load_tko(X, after(last), &loaded, b, 3); // @load
    tile_store_tko(S, v, after_none, b, 0);
}

// EXPECT verdict race
// EXPECT TR003 @store @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1 n 5
// LAUNCH grid 2 blocks 2 n 6

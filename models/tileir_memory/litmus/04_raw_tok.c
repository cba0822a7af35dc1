/* 4. The load takes the store's token. Race-free by rpo (D16), and the load reads what was stored
 * (A7). */
#include <tile.h>

enum { T = 2 };

tile_kernel void raw_tok(int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    token stored = tile_store_tko(X, 1, after_none, b);
    tile v = tile_load_tko(X, after(stored), &loaded, b);
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
// OUTCOME always r0=1 r1=1

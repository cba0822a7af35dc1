/* 22. A store and a load of one tile, both relaxed with scope tl_blk, no token. Race-free: each
 * scope includes the block itself, so they are morally strong (A2, D10). They are unordered all the
 * same: the load may miss the store (A8). */
#include <tile.h>

enum { T = 2 };

tile_kernel void scoped_no_token(int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);
    tile_contents(x, 0, 0);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile_store_tko_at(X, 1, TILE_RELAXED, TILE_BLOCK, after_none, b);
    tile v = tile_load_tko_at(X, TILE_RELAXED, TILE_BLOCK, after_none, &loaded, b);
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
// OUTCOME allowed r0=0 r1=1
// OUTCOME allowed r0=1 r1=0
// OUTCOME allowed r0=0 r1=0
// OUTCOME allowed r0=1 r1=1

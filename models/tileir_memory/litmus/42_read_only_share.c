/* 42. All blocks read one tile, none writes it. Race-free: no write, no conflict (A1). */
#include <tile.h>

enum { T = 2 };

tile_kernel void read_only_share(const int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, T);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, T), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);

    token loaded;
    tile v = tile_load_tko(X, after_none, &loaded, 0);
    tile_store_tko(S, v, after_none, tile_bid(0));
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3

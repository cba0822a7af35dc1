/* 46. As 45, but through two parameters for which the host passes the same buffer, and without the
 * token, because a compiler that takes them for different buffers leaves it out. Race inside the
 * block (D11, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void in_place_alias(const int *a, int *c, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(a, (long)T * blocks);
    tile_extent(c, (long)T * blocks);
    tile_may_alias(a, c);
    tile_alias_offset(a, 0);
    tile_alias_offset(c, 0);

    tile_view A = tile_partition(tile_tensor(a, T * blocks), T);
    tile_view C = tile_partition(tile_tensor(c, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(A, after_none, &loaded, b); // @load
    tile_store_tko(C, v + 1, after_none, b);           // @store
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3

/* 44. The host passes one buffer twice: what a block stores through `c` is what the next block
 * reads through `a`. Race: different parameters need not be different memory (A1, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void alias_args(const int *a, int *c, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(a, (long)T * (blocks + 1));
    tile_extent(c, (long)T * (blocks + 1));
    tile_may_alias(a, c);
    tile_alias_offset(a, 0);
    tile_alias_offset(c, 0);

    tile_view A = tile_partition(tile_tensor(a, T * (blocks + 1)), T);
    tile_view C = tile_partition(tile_tensor(c, T * (blocks + 1)), T);
    int b = tile_bid(0);

    token loaded;
    tile v = tile_load_tko(A, after_none, &loaded, b); // @load
    tile_store_tko(C, v, after(loaded), b + 1);        // @store
}

// EXPECT verdict race
// EXPECT TR002 @load @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

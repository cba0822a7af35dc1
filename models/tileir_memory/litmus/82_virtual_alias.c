/* 82. One location under two addresses, a store through one and a load through the other with an
 * alias fence between them on the token chain. Race-free: the chain is rpo (D16), and the fence
 * makes it hold across the addresses (D22). */
#include <tile.h>

enum { T = 2 };

tile_kernel void virtual_alias(int *x, const int *again, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, (long)T * blocks);
    tile_extent(again, (long)T * blocks);
    tile_extent(seen, (long)T * blocks);
    tile_may_alias(x, again);
    tile_alias_offset(x, 0);
    tile_alias_offset(again, 0);

    tile_view X = tile_partition(tile_tensor(x, T * blocks), T);
    tile_view A = tile_partition(tile_tensor(again, T * blocks), T);
    tile_view S = tile_partition(tile_tensor(seen, T * blocks), T);
    int b = tile_bid(0);

    token loaded;
    token stored = tile_store_tko(X, 1, after_none, b);
    token fenced = tile_fence_alias_tko(after(stored));
    tile v = tile_load_tko(A, after(fenced), &loaded, b);
    tile_store_tko(S, v, after_none, b);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3

/* 81. Message passing with relaxed flag accesses and an alias fence on the token chain of both
 * sides. Race on the tile: the fence orders aliases of one location; it is not a fence between
 * blocks (D22). */
#include <tile.h>

enum { T = 2 };

tile_kernel void alias_fence(int *x, int *flag, int *seen, int pairs)
{
    tile_grid(pairs, 2);
    tile_assume(0 < pairs && pairs <= 1 << 20);
    tile_extent(x, (long)T * pairs);
    tile_extent(seen, (long)T * pairs);
    tile_extent(flag, pairs);
    tile_contents(flag, 0, 0);

    tile_view X = tile_partition(tile_tensor(x, T * pairs), T);
    tile_view S = tile_partition(tile_tensor(seen, T * pairs), T);
    int p = tile_bid(0);

    if (tile_bid(1) == 0) {
        token stored = tile_store_tko(X, 1, after_none, p); // @store
        token fenced = tile_fence_alias_tko(after(stored));
        tile_store_masked_tko(tile_pointers(flag, p), 1, true, TILE_RELAXED, TILE_DEVICE,
                              after(fenced));
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, p), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            token fenced = tile_fence_alias_tko(after(looked));
            tile v = tile_load_tko(X, after(fenced), &loaded, p); // @load
            tile_store_tko(S, v, after_none, p);
        }
    }
}

// EXPECT verdict race
// EXPECT TR014 @store @load
// EXPECT observable yes
// LAUNCH grid 1,2 pairs 1

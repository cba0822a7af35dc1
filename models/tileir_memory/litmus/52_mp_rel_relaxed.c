/* 52. As 50, the flag read relaxed. Race on the tile: the acquire is missing, and there is no fence
 * that could replace it (D18, D22, A3). */
#include <tile.h>

enum { T = 2 };

tile_kernel void mp_rel_relaxed(int *x, int *flag, int *seen, int pairs)
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
        tile_store_masked_tko(tile_pointers(flag, p), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, p), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_tko(X, after(looked), &loaded, p); // @load
            tile_store_tko(S, v, after_none, p);
        }
    }
}

// EXPECT verdict race
// EXPECT TR015 @store @load
// EXPECT observable yes
// LAUNCH grid 1,2 pairs 1

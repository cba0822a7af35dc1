/* 60. P stores the tile in a loop of parts and releases the flag after the last part's token only.
 * Race on all parts but the last, under the per-iteration reading (D17, D18). */
#include <tile.h>

enum { T = 2 };

tile_kernel void mp_loop_last(int *x, int *flag, int *seen, int pairs, int n)
{
    tile_grid(pairs, 2);
    tile_assume(0 < pairs && pairs <= 1 << 20 && 1 < n && n <= 1 << 10);
    tile_extent(x, (long)T * n * pairs);
    tile_extent(seen, (long)T * pairs);
    tile_extent(flag, pairs);
    tile_contents(flag, 0, 0);

    tile_view X = tile_partition(tile_tensor(x, pairs, T * n), 1, T);
    tile_view S = tile_partition(tile_tensor(seen, pairs, T), 1, T);
    int p = tile_bid(0);

    if (tile_bid(1) == 0) {
        token begun = make_token(), last = begun;
        for (int i = 0; i < n; i++)
            last = tile_store_tko(X, i, after(begun), p, i); // @store
        tile_store_masked_tko(tile_pointers(flag, p), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(last));
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, p), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_tko(X, after(looked), &loaded, p, 0); // @load
            tile_store_tko(S, v, after_none, p, 0);
        }
    }
}

// EXPECT verdict race
// EXPECT TR016 @store @load
// EXPECT observable yes
// LAUNCH grid 1,2 pairs 1 n 2

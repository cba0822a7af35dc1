/* 58. As 50, but C reads another flag than P raises; a third block raises that flag. Race on the
 * tile: release and acquire must be of one location (D18). */
#include <tile.h>

enum { T = 2 };

tile_kernel void mp_other_location(int *x, int *flag, int *seen, int pairs)
{
    tile_grid(pairs, 3);
    tile_assume(0 < pairs && pairs <= 1 << 20);
    tile_extent(x, (long)T * pairs);
    tile_extent(seen, (long)T * pairs);
    tile_extent(flag, 2 * pairs);
    tile_contents(flag, 0, 0);

    tile_view X = tile_partition(tile_tensor(x, T * pairs), T);
    tile_view S = tile_partition(tile_tensor(seen, T * pairs), T);
    int p = tile_bid(0);

    if (tile_bid(1) == 0) {
        token stored = tile_store_tko(X, 1, after_none, p); // @store
        tile_store_masked_tko(tile_pointers(flag, 2 * p), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else if (tile_bid(1) == 1) {
        tile_store_masked_tko(tile_pointers(flag, 2 * p + 1), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after_none);
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 2 * p + 1), true, 0, TILE_ACQUIRE,
                                      TILE_DEVICE, after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_tko(X, after(looked), &loaded, p); // @load
            tile_store_tko(S, v, after_none, p);
        }
    }
}

// EXPECT verdict race
// EXPECT TR019 @store @load
// EXPECT observable yes
// LAUNCH grid 1,3 pairs 1

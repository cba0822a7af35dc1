/* 59, the tile of flags released by two stores, of which only the first comes after the tile.
 * Race: C acquires a flag of the other store (D18). */
#include <tile.h>

enum { T = 2 };

tile_kernel void mp_tile_flag_split(int *x, int *flag, int *seen, int pairs)
{
    tile_grid(pairs, 2);
    tile_assume(0 < pairs && pairs <= 1 << 20);
    tile_extent(x, (long)T * pairs);
    tile_extent(seen, (long)T * pairs);
    tile_extent(flag, 4l * pairs);
    tile_contents(flag, 0, 0);

    tile_view X = tile_partition(tile_tensor(x, T * pairs), T);
    tile_view S = tile_partition(tile_tensor(seen, T * pairs), T);
    int p = tile_bid(0);

    if (tile_bid(1) == 0) {
        token stored = tile_store_tko(X, 1, after_none, p); // @store
        tile flags = tile_pointers(flag, 4 * p + tile_iota(2));
        tile others = tile_pointers(flag, 4 * p + 2 + tile_iota(2));
        tile_store_masked_tko(flags, 1, true, TILE_RELEASE, TILE_DEVICE, after(stored));
        tile_store_masked_tko(others, 1, true, TILE_RELEASE, TILE_DEVICE, after_none);
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 4 * p + 2), true, 0, TILE_ACQUIRE,
                                      TILE_DEVICE, after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_tko(X, after(looked), &loaded, p); // @load
            tile_store_tko(S, v, after_none, p);
        }
    }
}

// EXPECT verdict race
// EXPECT TR016 @store @load
// EXPECT observable yes
// LAUNCH grid 1,2 pairs 1

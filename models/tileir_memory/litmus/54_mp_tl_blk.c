/* 54. As 50, the flag released with scope tl_blk. Race on the flag: its scope does not include C
 * (D8, A2). So the two do not synchronise, and the tile races as well (D19). */
#include <tile.h>

enum { T = 2 };

tile_kernel void mp_tl_blk(int *x, int *flag, int *seen, int pairs)
{
    tile_grid(pairs, 2);
    tile_assume(0 < pairs && pairs <= 1 << 20);
    tile_extent(x, (long)T * pairs);
    tile_extent(seen, (long)T * pairs);
    tile_extent(flag, pairs);
    tile_contents(flag, 0, 0);

    tile_view X = tile_partition(tile_tensor(x, T * pairs), T);
    tile_view S = tile_partition(tile_tensor(seen, T * pairs), T);
    tile_view F = tile_partition(tile_tensor(flag, pairs), 1);
    int p = tile_bid(0);
    tile up = tile_pointers(flag, p);

    if (tile_bid(1) == 0) {
        token stored = tile_store_tko(X, 1, after_none, p);                          // @store
        tile_store_masked_tko(up, 1, true, TILE_RELEASE, TILE_BLOCK, after(stored)); // @raise
    } else {
        token looked, loaded;
        tile f = tile_load_tko_at(F, TILE_ACQUIRE, TILE_DEVICE, after_none, &looked, p); // @look
        if (tile_to_int(f) == 1) {
            tile v = tile_load_tko(X, after(looked), &loaded, p); // @load
            tile_store_tko(S, v, after_none, p);
        }
    }
}

// EXPECT verdict race
// EXPECT TR006 @raise @look
// EXPECT TR006 @store @load
// EXPECT observable yes
// LAUNCH grid 1,2 pairs 1

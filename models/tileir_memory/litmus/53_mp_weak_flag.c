/* 53. As 50, the flag stored weakly. Race on the flag, because a weak access includes no block (D9,
 * A2, A3), and on the tile. */
#include <tile.h>

enum { T = 2 };

tile_kernel void mp_weak_flag(int *x, int *flag, int *seen, int pairs)
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
        tile_store_masked_tko(up, 1, true, TILE_WEAK, TILE_NO_SCOPE, after(stored)); // @raise
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
// EXPECT TR005 @raise @look
// EXPECT TR014 @store @load
// EXPECT observable yes
// LAUNCH grid 1,2 pairs 1

/* 50. P stores a tile and then raises a flag; C reads the flag and, if it is up, loads the tile.
 * Release and acquire, tokens on both sides. Race-free: the acquire that reads 1 observed the
 * release, so they synchronise, and tokens order the store before the release and the load after
 * the acquire (D18, D19, D21). */
#include <tile.h>

enum { T = 2 };

tile_kernel void mp_rel_acq(int *x, int *flag, int *seen, int pairs)
{
    tile_grid(pairs, 2);
    tile_assume(0 < pairs && pairs <= 1 << 20);
    tile_extent(x, (long)T * pairs);
    tile_extent(seen, (long)T * pairs);
    tile_extent(flag, pairs);
    tile_contents(flag, 0, 0);
    tile_contents(x, 0, 0);

    tile_view X = tile_partition(tile_tensor(x, T * pairs), T);
    tile_view S = tile_partition(tile_tensor(seen, T * pairs), T);
    int p = tile_bid(0);

    if (tile_bid(1) == 0) {
        token stored = tile_store_tko(X, 1, after_none, p);
        tile_store_masked_tko(tile_pointers(flag, p), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, p), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_tko(X, after(looked), &loaded, p);
            tile_store_tko(S, v, after_none, p);
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 1,2 pairs 1
// OUTCOME allowed r0=0
// OUTCOME allowed r0=1 r1=1 r2=1
// OUTCOME forbidden r0=1 r1=0
// OUTCOME forbidden r0=1 r2=0

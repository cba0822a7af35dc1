/* 264. Row 263, until the maximum of all flags is 1. Race: that is the case as soon as one block is
 * done. */
#include <tile.h>

enum { N = 4 };

tile_kernel void flags_by_greatest(int *x, int *flags, int *seen)
{
    tile_grid(N + 1);
    tile_extent(x, N);
    tile_extent(flags, N);
    tile_extent(seen, 1);
    tile_contents(flags, 0, 0);

    int b = tile_bid(0);
    if (b < N) {
        x[b] = 1; // @store
        tile_store_ptr_at(tile_pointers(flags, b), 1, TILE_RELEASE, TILE_DEVICE);
    } else {
        tile all = tile_pointers(flags, tile_iota(N));
        while (tile_to_int(tile_reduce_max(tile_atomic_or(all, 0, TILE_ACQUIRE, TILE_DEVICE), 0)) ==
               0)
            ;
        seen[0] = x[0] + x[N - 1]; // @load
    }
}

// EXPECT verdict race
// EXPECT TR018 @store @load
// EXPECT TR018 @store @load
// EXPECT observable yes
// LAUNCH grid 5

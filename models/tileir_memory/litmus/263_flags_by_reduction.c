/* 263. A block waits until the minimum of all flags is 1. Race-free: then the flag of each block is
 * up, including that of the block whose store the load reads (D18, for each element). */
#include <tile.h>

enum { N = 4 };

tile_kernel void flags_by_reduction(int *x, int *flags, int *seen)
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
        while (tile_to_int(tile_reduce_min(tile_atomic_or(all, 0, TILE_ACQUIRE, TILE_DEVICE), 0)) ==
               0)
            ;
        seen[0] = x[0] + x[N - 1]; // @load
    }
}

// EXPECT verdict race-free
// LAUNCH grid 5

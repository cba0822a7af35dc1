/* 327. An update between the release and the acquire passes the release on. Race-free (D20). */
#include <tile.h>
tile_kernel void rmw_chain(int *restrict x, int *restrict y, int *restrict f, int n)
{
    tile_grid(n);
    tile_assume(3 <= n && n <= 16);
    tile_extent(x, 64);
    tile_extent(y, 64);
    tile_extent(f, 64);
    tile_contents(f, 0, 0);
    int b = tile_bid(0);
    x[b] = 1;
    if (b == 0)
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    else if (b == 1) {
        while (tile_to_int(tile_atomic_cas(tile_pointers(f, 0), 1, 2, TILE_RELAXED, TILE_DEVICE)) !=
               1)
            ;
    } else {
        while (tile_to_int(tile_atomic_or(tile_pointers(f, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) != 2)
            ;
        y[b] = x[0];
    }
}

// EXPECT verdict race-free
// LAUNCH grid 3 n 3

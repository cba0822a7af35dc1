/* 262. Row 260, the flags read with relaxed loads. Race: reading a flag as raised says nothing
 * about what was stored before it. */
#include <tile.h>

tile_kernel void flags_one_by_one_relaxed(int *x, int *flags, int *seen, int n)
{
    tile_grid(n);
    tile_assume(1 < n && n <= 1 << 20);
    tile_extent(x, n);
    tile_extent(flags, n);
    tile_extent(seen, n);
    tile_contents(flags, 0, 0);

    int b = tile_bid(0);
    x[b] = 1; // @store
    tile_store_ptr_at(tile_pointers(flags, b), 1, TILE_RELEASE, TILE_DEVICE);
    for (int i = 0; i < n; i++)
        while (tile_to_int(tile_atomic_or(tile_pointers(flags, i), 0, TILE_RELAXED, TILE_DEVICE)) ==
               0)
            ;
    seen[b] = x[b + 1 < n ? b + 1 : 0]; // @load
}

// EXPECT verdict race
// EXPECT TR015 @store @load
// EXPECT observable yes
// LAUNCH grid 2 n 2

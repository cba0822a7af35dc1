/* 245. Row 244, but the second-to-last block tells the others. Race: the last block's store is not
 * counted yet. */
#include <tile.h>

tile_kernel void barrier_by_last_early(int *x, int *count, int *go, int *seen, int n)
{
    tile_grid(n);
    tile_assume(1 < n && n <= 1 << 20);
    tile_extent(x, n);
    tile_extent(count, 1);
    tile_extent(go, 1);
    tile_extent(seen, n);
    tile_contents(count, 0, 0);
    tile_contents(go, 0, 0);

    int b = tile_bid(0);
    x[b] = 1; // @store
    tile arrived = tile_atomic_add(tile_pointers(count, 0), 1, TILE_ACQ_REL, TILE_DEVICE);
    if (tile_to_int(arrived) == n - 2)
        tile_store_ptr_at(tile_pointers(go, 0), 1, TILE_RELEASE, TILE_DEVICE);
    else
        while (tile_to_int(tile_atomic_or(tile_pointers(go, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
    seen[b] = x[b + 1 < n ? b + 1 : 0]; // @load
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 2 n 2
// LAUNCH grid 3 n 3

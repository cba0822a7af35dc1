/* 244. A barrier of all blocks: the last block to count tells the others, which wait for that.
 * Race-free: by the count, each store happens before the last block's release; by the flag, that
 * release happens before each load (D18, D20, D21). */
#include <tile.h>

tile_kernel void barrier_by_last(int *x, int *count, int *go, int *seen, int n)
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
    if (tile_to_int(arrived) == n - 1)
        tile_store_ptr_at(tile_pointers(go, 0), 1, TILE_RELEASE, TILE_DEVICE);
    else
        while (tile_to_int(tile_atomic_or(tile_pointers(go, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
    seen[b] = x[b + 1 < n ? b + 1 : 0]; // @load
}

// EXPECT verdict race-free
// LAUNCH grid 2 n 2
// LAUNCH grid 3 n 3

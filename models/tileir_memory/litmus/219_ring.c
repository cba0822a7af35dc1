/* 219. One block fills two slots in turn and another block empties them; each tells the other.
 * Race-free: which of two accesses comes first depends on their iterations (D18). */
#include <tile.h>

tile_kernel void ring(int *x, int *full, int *empty, int *seen, int n)
{
    tile_grid(2);
    tile_assume(0 < n && n <= 64);
    tile_extent(x, 2);
    tile_extent(full, 1);
    tile_extent(empty, 1);
    tile_extent(seen, n);
    tile_contents(full, 0, 0);
    tile_contents(empty, 0, 0);

    tile filled = tile_pointers(full, 0), emptied = tile_pointers(empty, 0);
    if (tile_bid(0) == 0) {
        for (int t = 0; t < n; t++) {
            while (tile_to_int(tile_atomic_or(emptied, 0, TILE_ACQUIRE, TILE_DEVICE)) <= t - 2)
                ;
            x[t % 2] = t;
            tile_store_ptr_at(filled, t + 1, TILE_RELEASE, TILE_DEVICE);
        }
    } else {
        for (int t = 0; t < n; t++) {
            while (tile_to_int(tile_atomic_or(filled, 0, TILE_ACQUIRE, TILE_DEVICE)) <= t)
                ;
            seen[t] = x[t % 2];
            tile_store_ptr_at(emptied, t + 1, TILE_RELEASE, TILE_DEVICE);
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2 n 2

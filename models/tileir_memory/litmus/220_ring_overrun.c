/* 220. As 219, but a slot is filled one step too early. Race (A3). */
#include <tile.h>

tile_kernel void ring_overrun(int *x, int *full, int *empty, int *seen, int n)
{
    tile_grid(2);
    tile_assume(2 < n && n <= 64);
    tile_extent(x, 2);
    tile_extent(full, 1);
    tile_extent(empty, 1);
    tile_extent(seen, n);
    tile_contents(full, 0, 0);
    tile_contents(empty, 0, 0);

    tile filled = tile_pointers(full, 0), emptied = tile_pointers(empty, 0);
    if (tile_bid(0) == 0) {
        for (int t = 0; t < n; t++) {
            while (tile_to_int(tile_atomic_or(emptied, 0, TILE_ACQUIRE, TILE_DEVICE)) <= t - 3)
                ;
            x[t % 2] = t; // @fill
            tile_store_ptr_at(filled, t + 1, TILE_RELEASE, TILE_DEVICE);
        }
    } else {
        for (int t = 0; t < n; t++) {
            while (tile_to_int(tile_atomic_or(filled, 0, TILE_ACQUIRE, TILE_DEVICE)) <= t)
                ;
            seen[t] = x[t % 2]; // @take
            tile_store_ptr_at(emptied, t + 1, TILE_RELEASE, TILE_DEVICE);
        }
    }
}

// EXPECT verdict race
// EXPECT TR020 @fill @take
// EXPECT observable yes
// LAUNCH grid 2 n 3

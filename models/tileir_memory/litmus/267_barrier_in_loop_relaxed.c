/* 267. Row 265, the additions to the count relaxed. Race: they pass nothing on. */
#include <tile.h>

tile_kernel void barrier_in_loop_relaxed(int *x, int *count, int *seen, int n, int steps)
{
    tile_grid(n);
    tile_assume(1 < n && n <= 1000 && 0 < steps && steps <= 100);
    tile_extent(x, 2 * n);
    tile_extent(count, 1);
    tile_extent(seen, n);
    tile_contents(count, 0, 0);

    int b = tile_bid(0), next = b + 1 < n ? b + 1 : 0, sum = 0;
    for (int s = 0; s < steps; s++) {
        x[(s % 2) * n + b] = s; // @store
        tile_atomic_add(tile_pointers(count, 0), 1, TILE_RELAXED, TILE_DEVICE);
        while (tile_to_int(tile_atomic_or(tile_pointers(count, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) <
               n * (s + 1))
            ;
        sum += x[(s % 2) * n + next]; // @load
    }
    seen[b] = sum;
}

// EXPECT verdict race
// EXPECT TR014 @store @load
// EXPECT observable yes
// LAUNCH grid 2 n 2 steps 1

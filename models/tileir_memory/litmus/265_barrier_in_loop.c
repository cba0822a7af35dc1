/* 265. A barrier of all blocks at each step, with one counter for all steps, and two buffers in
 * turn. Race-free: no block counts for a step before all blocks have counted for the preceding
 * step, so n * (s + 1) says that all have counted for step s (A5, D18, D20). */
#include <tile.h>

tile_kernel void barrier_in_loop(int *x, int *count, int *seen, int n, int steps)
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
        tile_atomic_add(tile_pointers(count, 0), 1, TILE_ACQ_REL, TILE_DEVICE);
        while (tile_to_int(tile_atomic_or(tile_pointers(count, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) <
               n * (s + 1))
            ;
        sum += x[(s % 2) * n + next]; // @load
    }
    seen[b] = sum;
}

// EXPECT verdict race-free
// LAUNCH grid 2 n 2 steps 1

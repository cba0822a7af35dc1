/* 270. Two blocks take tickets from two counters, may get the same number, and store the same value
 * to its place. Race; every execution leaves the same memory. */
#include <tile.h>

tile_kernel void queue_two_counters(int *y, int *next, int tiles)
{
    tile_grid(2);
    tile_assume(0 < tiles && tiles <= 1 << 20);
    tile_extent(y, tiles);
    tile_extent(next, 2);
    tile_contents(next, 0, 0);
    tile_distinct(y, next);

    for (;;) {
        int t = tile_atomic_add(tile_pointers(next, tile_bid(0)), 1, TILE_RELAXED, TILE_DEVICE);
        if (t >= tiles)
            break;
        tile_store_ptr(tile_pointers(y, t), t + 5); // @store
    }
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable no
// LAUNCH grid 2 tiles 2
// LAUNCH grid 2 tiles 2 despite-races
// OUTCOME always y[0]=5 y[4]=6

/* 271. Each block begins with the tile of its own number and then takes tickets, from 0: two blocks
 * store the same value to one place. Race; every execution leaves the same memory. */
#include <tile.h>

tile_kernel void queue_first_by_block(int *y, int *next, int tiles)
{
    tile_grid(2);
    tile_assume(0 < tiles && tiles <= 1 << 20);
    tile_extent(y, tiles);
    tile_extent(next, 1);
    tile_contents(next, 0, 0);
    tile_distinct(y, next);

    int t = tile_bid(0);
    while (t < tiles) {
        tile_store_ptr(tile_pointers(y, t), t + 5); // @store
        t = tile_atomic_add(tile_pointers(next, 0), 1, TILE_RELAXED, TILE_DEVICE);
    }
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable no
// LAUNCH grid 2 tiles 2
// LAUNCH grid 2 tiles 2 despite-races
// OUTCOME always y[0]=5 y[4]=6

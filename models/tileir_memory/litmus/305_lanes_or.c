/* 305. A block waits until none of the first 2 flags is down. Race. */
#include <tile.h>

tile_kernel void lanes_or(int *restrict x, int *restrict y, int *restrict flags)
{
    tile_grid(4);
    tile_extent(x, 4);
    tile_extent(y, 4);
    tile_extent(flags, 4);
    tile_contents(flags, 0, 0);

    int i = tile_bid(0);
    x[i] = 1; // @store
    tile_store_ptr_at(tile_pointers(flags, i), 1, TILE_RELEASE, TILE_DEVICE);
    if (i == 0) {
        while (tile_to_int(tile_reduce_or(
            tile_eq(tile_load_ptr_at(tile_pointers(flags, tile_iota(2)), TILE_ACQUIRE, TILE_DEVICE),
                    0),
            0)))
            ;
        y[i] = x[3]; // @load
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 4

/* 283. A block waits for 4 flags in lanes, and reads the data of the 7th flag. Race. */
#include <tile.h>

tile_kernel void lanes_few(int *restrict x, int *restrict y, int *restrict flags)
{
    tile_grid(8);
    tile_extent(x, 8);
    tile_extent(y, 8);
    tile_extent(flags, 8);
    tile_contents(flags, 0, 0);

    int i = tile_bid(0);
    x[i] = 1; // @store
    tile_store_ptr_at(tile_pointers(flags, i), 1, TILE_RELEASE, TILE_DEVICE);
    if (i == 0) {
        while (tile_to_int(tile_reduce_min(
                   tile_load_ptr_at(tile_pointers(flags, tile_iota(4)), TILE_ACQUIRE, TILE_DEVICE),
                   0)) == 0)
            ;
        y[i] = x[6]; // @load
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 8

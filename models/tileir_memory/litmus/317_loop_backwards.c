/* 317. A block waits for the last 2 flags, the last one first, and reads the data of the second.
 * Race. */
#include <tile.h>

tile_kernel void loop_backwards(int *restrict x, int *restrict y, int *restrict flags)
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
        for (int j = 0; j < 2; j++)
            while (tile_to_int(tile_load_ptr_at(tile_pointers(flags, 3 - j), TILE_ACQUIRE,
                                                TILE_DEVICE)) == 0)
                ;
        y[i] = x[1]; // @load
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 4

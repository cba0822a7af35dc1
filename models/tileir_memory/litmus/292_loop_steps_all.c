/* 292. As 291, but it reads the data of one of the flags for which it waits. Race-free (D18). */
#include <tile.h>

tile_kernel void loop_steps_all(int *restrict x, int *restrict y, int *restrict flags)
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
        for (int j = 0; j < 4; j += 2)
            while (tile_to_int(
                       tile_load_ptr_at(tile_pointers(flags, j), TILE_ACQUIRE, TILE_DEVICE)) == 0)
                ;
        y[i] = x[2]; // @load
    }
}

// EXPECT verdict race-free
// LAUNCH grid 4

/* 304. As 303, but it reads the data of the third. Race-free (D18). */
#include <tile.h>

tile_kernel void lanes_selected_all(int *restrict x, int *restrict y, int *restrict flags)
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
        while (tile_to_int(
                   tile_reduce_min(tile_select(tile_lt(tile_iota(4), 3),
                                               tile_load_ptr_at(tile_pointers(flags, tile_iota(4)),
                                                                TILE_ACQUIRE, TILE_DEVICE),
                                               1),
                                   0)) == 0)
            ;
        y[i] = x[2]; // @load
    }
}

// EXPECT verdict race-free
// LAUNCH grid 4

/* 119. As 118 with rows of an even number of elements. Race-free: no byte is shared (D5). */
#include <tile.h>

tile_kernel void nibbles_apart(f4e2m1 *x, int rows)
{
    tile_grid(rows);
    tile_assume(0 < rows && rows <= 1 << 20);
    tile_extent(x, 4l * rows);

    tile_view X = tile_partition(tile_tensor(x, rows, 4), 1, 4);
    tile_store_tko(X, tile_zeros(f4e2m1, 1, 4), after_none, tile_bid(0), 0);
}

// EXPECT verdict race-free
// LAUNCH grid 2 rows 2
// LAUNCH grid 3 rows 3

/* 118. Rows of an odd number of 4-bit elements, two to a byte: the last element of a row and the
 * first element of the next row share a byte. Race: a byte is the smallest location (D5,
 * inferred). */
#include <tile.h>

tile_kernel void nibbles(f4e2m1 *x, int rows)
{
    tile_grid(rows);
    tile_assume(1 < rows && rows <= 1 << 20);
    tile_extent(x, 3l * rows);

    tile_view X = tile_partition(tile_tensor(x, rows, 3), 1, 4);
    tile_store_tko(X, tile_zeros(f4e2m1, 1, 4), after_none, tile_bid(0), 0); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable no
// LAUNCH grid 2 rows 2
// LAUNCH grid 3 rows 3

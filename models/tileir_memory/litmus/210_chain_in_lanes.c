/* 210. The blocks of a column add in turn, each column separately. Race-free along each column
 * (D18, D21). */
#include <tile.h>

tile_kernel void chain_in_lanes(int *sum, int *flag, int rows, int columns)
{
    tile_grid(rows, columns);
    tile_assume(0 < rows && rows <= 1 << 10 && 0 < columns && columns <= 1 << 10);
    tile_extent(sum, columns);
    tile_extent(flag, columns);
    tile_contents(flag, 0, 0);

    int b = tile_bid(0), column = tile_bid(1);
    tile turn = tile_pointers(flag, column);
    while (tile_to_int(tile_atomic_or(turn, 0, TILE_ACQUIRE, TILE_DEVICE)) != b)
        ;
    sum[column] = sum[column] + 1;
    tile_store_ptr_at(turn, b + 1, TILE_RELEASE, TILE_DEVICE);
}

// EXPECT verdict race-free
// LAUNCH grid 2,1 rows 2 columns 1
// LAUNCH grid 2,2 rows 2 columns 2

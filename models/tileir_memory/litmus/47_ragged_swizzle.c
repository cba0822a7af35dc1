/* 47. Blocks take the tiles of a matrix in groups of two rows, but the column divides by the full
 * group height even in a last group of one row. Race: the numbering is not one-to-one there, so two
 * blocks take one tile (A1, A3). */
#include <tile.h>

enum { GROUP = 2 };

tile_kernel void ragged_swizzle(int *x, int m, int n)
{
    tile_grid(m * n);
    tile_assume(0 < m && m <= 1 << 10 && m % GROUP == 1 && 1 < n && n <= 1 << 10);
    tile_extent(x, (long)m * n);

    tile_view X = tile_partition(tile_tensor(x, m, n), 1, 1);
    int b = tile_bid(0), first = b / (GROUP * n) * GROUP, within = b % (GROUP * n);
    int row = first + within % tile_min(m - first, GROUP), column = within / GROUP;
    tile_store_tko(X, b, after_none, row, column); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 2 m 1 n 2
// LAUNCH grid 6 m 3 n 2

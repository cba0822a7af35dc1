/* 38. The number of elements need not be a multiple of the tile. Race-free, and in bounds: elements
 * outside the tensor make no event (D3, U4). */
#include <tile.h>

enum { T = 2 };

tile_kernel void masked_tail(int *x, int n)
{
    tile_grid(tile_cdiv(n, T));
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, n);

    tile_view X = tile_partition(tile_tensor(x, n), T);
    tile_store_tko(X, tile_bid(0), after_none, tile_bid(0));
}

// EXPECT verdict race-free
// LAUNCH grid 2 n 3
// LAUNCH grid 2 n 4

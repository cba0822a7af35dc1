/* 39. One block more than there are tiles. No race, but an index outside the view's space is
 * undefined behaviour (U1): it is not masked off. */
#include <tile.h>

enum { T = 2 };

tile_kernel void index_beyond(int *x, int n)
{
    tile_grid(tile_cdiv(n, T) + 1);
    tile_assume(0 < n && n <= 1 << 20);
    tile_extent(x, n);

    tile_view X = tile_partition(tile_tensor(x, n), T);
    tile_store_tko(X, tile_bid(0), after_none, tile_bid(0)); // @store
}

// EXPECT verdict race-free
// EXPECT TR007 @store
// LAUNCH grid 3 n 3
// LAUNCH grid 2 n 2

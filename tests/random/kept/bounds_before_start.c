// A tensor that begins before its buffer does: that its end lies inside is not enough.
#include <tile.h>

enum { T = 4 };

tile_kernel void bounds_before_start(float *x, int n)
{
    tile_grid(n);
    tile_assume(n > 0 && n <= 8);
    tile_extent(x, n * T);
    tile_view v = tile_partition(tile_tensor(x + -1, n * T), T);
    tile_store(v, tile_zeros(float, T), tile_bid(0)); // @store
}

// EXPECT verdict race-free
// EXPECT TR008 @store

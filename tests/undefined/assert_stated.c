// An assertion that the contract implies asks for nothing.
#include <tile.h>

tile_kernel void assert_stated(float *restrict y, int n)
{
    tile_grid(n);
    tile_assume(n >= 1 && n <= 64);
    tile_extent(y, n);
    tile_assert(tile_bid(0) < n);
    y[tile_bid(0)] = 1.0f;
}

// EXPECT verdict race-free

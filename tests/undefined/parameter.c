// The divisor is 0 at some launches that the contract allows, and at those alone the blocks meet.
#include <tile.h>

tile_kernel void parameter(float *restrict y, int *restrict z, int n)
{
    tile_grid(2);
    tile_assume(n >= 0 && n < 8);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    z[bid] = 8 / n;             // @division
    y[n == 0 ? 0 : bid] = 1.0f; // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @division

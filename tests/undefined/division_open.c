// The same where nobody states the grid: only a launch of one block keeps the divisor from 0.
#include <tile.h>

tile_kernel void division_open(float *restrict y, int *restrict z)
{
    int bid = tile_bid(0);
    int q = 8 / (1 - bid); // @division
    y[0] = 1.0f;           // @store
    z[bid] = q;
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @division

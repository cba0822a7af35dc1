// The same where nobody speaks of n: a positive divisor is a launch precondition.
#include <tile.h>

tile_kernel void parameter_open(float *restrict y, int *restrict z, int n)
{
    int bid = tile_bid(0);
    z[bid] = 8 / n;
    y[n == 0 ? 0 : bid] = 1.0f;
}

// EXPECT verdict race-free
// EXPECT requires positive-divisor

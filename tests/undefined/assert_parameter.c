// An assertion on a parameter is a launch precondition.
#include <tile.h>

tile_kernel void assert_parameter(float *restrict y, int n)
{
    tile_assert(n >= 8);
    y[tile_bid(0) * n] = 1.0f;
}

// EXPECT verdict race-free
// EXPECT requires kernel-assume no-wrap

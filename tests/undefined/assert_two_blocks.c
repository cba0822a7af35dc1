// An assertion that a launch of two blocks keeps is a launch precondition.
#include <tile.h>

tile_kernel void assert_two_blocks(float *restrict y)
{
    tile_assert(tile_bid(0) < 2);
    y[tile_bid(0) % 2] = 1.0f;
}

// EXPECT verdict race-free
// EXPECT requires kernel-assume

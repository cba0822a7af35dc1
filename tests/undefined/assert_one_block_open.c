// The same where nobody states the grid: one block is no precondition.
#include <tile.h>

tile_kernel void assert_one_block_open(float *restrict y)
{
    tile_assert(tile_bid(0) < 1); // @assert
    y[0] = 1.0f;                  // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR028 @assert

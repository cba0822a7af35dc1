// An assertion that every second block meets.
#include <tile.h>

tile_kernel void assert_even(float *restrict y)
{
    tile_assert(tile_bid(0) % 2 == 0); // @assert
    y[tile_bid(0) / 2] = 1.0f;         // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR028 @assert

// An assertion that only the first block meets.
#include <tile.h>

tile_kernel void assert_one_block(float *restrict y)
{
    tile_grid(4);
    tile_extent(y, 8);
    tile_assert(tile_bid(0) < 1); // @assert
    y[0] = 1.0f;                  // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR028 @assert

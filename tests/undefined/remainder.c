// A remainder by zero, and a store that two blocks share.
#include <tile.h>

tile_kernel void remainder(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    z[bid] = 7 % (bid * 3 - 3); // @division
    y[bid / 2] = 1.0f;          // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @division

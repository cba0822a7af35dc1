// Undefined in block 5 alone: its store of y[4] still meets that of block 4.
#include <tile.h>

tile_kernel void branch(float *restrict y, int *restrict z)
{
    tile_grid(6);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    if (bid == 5)
        z[bid] = 8 / (bid - 5);  // @division
    y[bid < 5 ? bid : 4] = 1.0f; // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @division

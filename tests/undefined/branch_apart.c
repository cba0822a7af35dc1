// Undefined in block 5 alone, and what all blocks store is their own.
#include <tile.h>

tile_kernel void branch_apart(float *restrict y, int *restrict z)
{
    tile_grid(6);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    if (bid == 5)
        z[bid] = 8 / (bid - 5); // @division
    y[bid] = 1.0f;
}

// EXPECT verdict race-free
// EXPECT TR010 @division

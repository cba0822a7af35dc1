// Block 1 leaves its buffer.
#include <tile.h>

tile_kernel void out_of_buffer(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    z[bid * 8] = 1; // @outside
    y[0] = 1.0f;    // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR008 @outside

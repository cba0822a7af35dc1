// The smallest integer by -1 in block 1, by 0 in block 0.
#include <tile.h>

tile_kernel void division_least(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    int q = (-2147483647 - 1) / (0 - bid); // @division
    y[0] = 1.0f;                           // @store
    z[bid] = q;
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @division

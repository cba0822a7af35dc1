// A division by zero in block 1 does not hide that both blocks store y[0].
#include <tile.h>

tile_kernel void division(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    int q = 8 / (1 - bid); // @division
    y[0] = 1.0f;           // @store
    z[bid] = q;
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @division

// An addition that is promised not to wrap does so in block 1.
#include <tile.h>

tile_kernel void wrap(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    int q = 2147483647 + bid; // @sum
    z[bid] = q;
    y[0 * q] = 1.0f; // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR009 @sum

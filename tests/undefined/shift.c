// A shift by 32 in block 1.
#include <tile.h>

tile_kernel void shift(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    int q = 1 << (31 + bid); // @shift
    y[0] = 1.0f;             // @store
    z[bid] = q;
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @shift

// Two divisions by one number: that the first is undefined is no fact for the second.
#include <tile.h>

tile_kernel void division_twice(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    int q = 8 / (1 - bid);      // @first
    z[bid] = q + 9 % (1 - bid); // @second
    y[0] = 1.0f;                // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @first

// A loop with a step of 0 in block 1, and a store behind it that both blocks make.
#include <tile.h>

tile_kernel void step_after(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 8);
    int bid = tile_bid(0);
    for (int i = 0; i < 4; i += 1 - bid) // @loop
        z[bid] = i;
    y[0] = 1.0f; // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @loop

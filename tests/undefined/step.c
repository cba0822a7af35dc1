// A loop that block 1 enters with a step of 0: its first iteration needs no step.
#include <tile.h>

tile_kernel void step(float *restrict y)
{
    tile_grid(2);
    tile_extent(y, 8);
    int bid = tile_bid(0);
    for (int i = 0; i < 4; i += 1 - bid) // @loop
        y[0] = 1.0f;                     // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR010 @loop

// A loop whose step may be 0 or negative is undefined: a proof of what is inside says nothing then.
#include <tile.h>

tile_kernel void step_not_positive(float *x, int n, int s)
{
    tile_grid(n);
    tile_assume(n > 0 && n <= 8 && s >= -1 && s <= 4);
    for (int i = 0; i < n; i += s) // @loop
        x[tile_bid(0) * 8 + i] = 0.0f;
}

// EXPECT verdict race-free
// EXPECT TR010 @loop

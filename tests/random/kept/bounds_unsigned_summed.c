// A signed sum reads an unsigned parameter as negative: it does not wrap, and leads in front of the
// buffer. Taken for a wrap, it was reported, and what comes after it taken for undefined already.
#include <tile.h>

tile_kernel void bounds_unsigned_summed(float *x, unsigned m)
{
    tile_grid(8);
    tile_assume(m >= 0xfffffffcu);
    tile_extent(x, 16);
    x[(int)m + tile_bid(0)] = 1.0f; // @store
}

// EXPECT verdict race-free
// EXPECT TR008 @store

// An unsigned parameter beyond the signed range is negative where it is read as signed.
#include <tile.h>

tile_kernel void unsigned_read_as_signed(float *out, unsigned n)
{
    tile_grid(4);
    tile_assume(n > 0);
    if ((int)n < 0)
        out[0] = 0.0f; // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable no

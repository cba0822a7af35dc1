// Counts through the null pointer, and one store a block beside it.
#include <tile.h>

tile_kernel void null_atomic(float *restrict y)
{
    tile nowhere = tile_int_to_ptr(tile_zeros(long), int);
    tile_atomic_add(nowhere, 1, TILE_RELAXED, TILE_DEVICE); // @null
    y[tile_bid(0)] = 1.0f;
}

// EXPECT verdict race-free
// EXPECT TR008 @null

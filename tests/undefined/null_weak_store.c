// All blocks store weakly through the null pointer, each element in the same place.
#include <tile.h>

enum { BM = 16 };

tile_kernel void null_weak_store(float *restrict y)
{
    tile nowhere = tile_int_to_ptr(tile_zeros(long, BM), float);
    tile_store_ptr(nowhere, tile_zeros(float, BM)); // @null
    y[tile_bid(0)] = 1.0f;
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @null @null
// EXPECT TR004 @null

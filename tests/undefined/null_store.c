// Every block stores through the null pointer: undefined, and it meets no other store.
#include <tile.h>

enum { BM = 16 };

tile_kernel void null_store(float *restrict y)
{
    tile nowhere = tile_int_to_ptr(tile_zeros(long, BM), float);
    tile_store_ptr_at(nowhere, tile_zeros(float, BM), TILE_RELEASE, TILE_DEVICE); // @null
    y[tile_bid(0)] = 1.0f;
}

// EXPECT verdict race-free
// EXPECT TR008 @null

// A race beside an access through the null pointer is a race all the same.
#include <tile.h>

enum { BM = 16 };

tile_kernel void null_beside_race(float *restrict y)
{
    tile nowhere = tile_int_to_ptr(tile_zeros(long, BM), float);
    tile_store_ptr_at(nowhere, tile_zeros(float, BM), TILE_RELAXED, TILE_DEVICE); // @null
    y[tile_bid(0) / 2] = 1.0f;                                                    // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR008 @null

// Where the mask leaves two elements or blocks, they store weakly through the null pointer.
#include <tile.h>

enum { BM = 16 };

tile_kernel void null_masked(float *restrict y, int n)
{
    tile at = tile_add(tile_bid(0) * BM, tile_iota(BM));
    tile nowhere = tile_int_to_ptr(tile_zeros(long, BM), float);
    tile_store_masked(nowhere, tile_zeros(float, BM), tile_lt(at, n)); // @null
    y[tile_bid(0)] = 1.0f;
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @null @null
// EXPECT TR004 @null

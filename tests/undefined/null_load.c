// What is read through the null pointer is stored, each block in a tile of its own.
#include <tile.h>

enum { BM = 16 };

tile_kernel void null_load(float *restrict y)
{
    tile_grid(4);
    tile_extent(y, 4 * BM);
    tile at = tile_add(tile_bid(0) * BM, tile_iota(BM));
    tile nowhere = tile_int_to_ptr(tile_zeros(long, BM), float);
    tile_store_ptr(tile_pointers(y, at), tile_load_ptr(nowhere)); // @null
}

// EXPECT verdict race-free
// EXPECT TR008 @null

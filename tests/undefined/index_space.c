// A view indexed outside its space by block 1.
#include <tile.h>

tile_kernel void index_space(float *restrict y, int *restrict z)
{
    tile_grid(2);
    tile_extent(y, 8);
    tile_extent(z, 64);
    tile_store(tile_partition(tile_tensor(z, 64), 64), tile_iota(64), tile_bid(0)); // @space
    y[0] = 1.0f;                                                                    // @store
}

// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store @store
// EXPECT TR007 @space

/* The id of one grid axis is multiplied by the extent of another. */
#include <tile.h>

tile_kernel void flattened(float *y)
{
    int i = tile_bid(1) * tile_grid_extent(1) + tile_bid(0);
    y[i] = 1.0f; // @flat
}

tile_kernel void flattened_tiles(float *y)
{
    int i = tile_bid(0) * tile_grid_extent(0) + tile_bid(1);
    tile_store_ptr(tile_pointers(y, i * 64 + tile_iota(64)), 1.0f); // @tiles
}

tile_kernel void flattened_three(float *y)
{
    int i = (tile_bid(2) * tile_grid_extent(2) + tile_bid(1)) * tile_grid_extent(0) + tile_bid(0);
    y[i] = 1.0f; // @three
}

tile_kernel void flattened_sizes(float *y, int W, int H)
{
    tile_grid(W, H);
    tile_assume(W > 0 && H > 0 && W < 4096 && H < 4096);
    y[tile_bid(1) * H + tile_bid(0)] = 1.0f; // @sizes
}

// EXPECT kernel flattened
// EXPECT verdict race
// EXPECT TR001 @flat @flat
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel flattened_tiles
// EXPECT verdict race
// EXPECT TR001 @tiles @tiles
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel flattened_three
// EXPECT verdict race
// EXPECT TR001 @three @three
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel flattened_sizes
// EXPECT verdict race
// EXPECT TR001 @sizes @sizes
// EXPECT observable no

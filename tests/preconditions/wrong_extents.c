/* Three grid axes flattened with the wrong extents, in the order of a slip. */
#include <tile.h>

tile_kernel void exchanged(float *y)
{
    int a = tile_bid(0), b = tile_bid(1), c = tile_bid(2);
    y[a + tile_grid_extent(1) * (b + tile_grid_extent(0) * c)] = 1.0f; // @exchanged
}

tile_kernel void twice_the_first(float *y)
{
    int a = tile_bid(0), b = tile_bid(1), c = tile_bid(2);
    y[a + tile_grid_extent(0) * (b + tile_grid_extent(0) * c)] = 1.0f; // @twice
}

tile_kernel void one_less(float *y)
{
    y[tile_bid(0) + tile_bid(1) * (tile_grid_extent(0) - 1)] = 1.0f; // @less
}

tile_kernel void guarded_sizes(float *y, int W, int H)
{
    tile_grid(W, H, 4);
    tile_assume(W > 1 && H > 1 && W < 1000 && H < 1000);
    int a = tile_bid(0), b = tile_bid(1), c = tile_bid(2);
    y[a + H * (b + W * c)] = 1.0f; // @sizes
}

tile_kernel void right(float *y)
{
    int a = tile_bid(0), b = tile_bid(1), c = tile_bid(2);
    y[a + tile_grid_extent(0) * (b + tile_grid_extent(1) * c)] = 1.0f;
}

// EXPECT kernel exchanged
// EXPECT verdict race
// EXPECT TR001 @exchanged @exchanged
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel twice_the_first
// EXPECT verdict race
// EXPECT TR001 @twice @twice
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel one_less
// EXPECT verdict race
// EXPECT TR001 @less @less
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel guarded_sizes
// EXPECT verdict race
// EXPECT TR001 @sizes @sizes
// EXPECT observable no

// EXPECT kernel right
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

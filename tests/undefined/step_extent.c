// Sizes that only a loop without a step leads to: the terms know them where they are not negative.
#include <tile.h>

tile_kernel void negative_extent(float *restrict x, float *restrict y, int n)
{
    y[tile_bid(0)] = 1.0f;
    for (int i = 0; i < 1; i += 0) { // @loop
        tile_view v = tile_partition(tile_tensor(x, n - n - 1), 1);
        tile_store(v, tile_full(1.0f, 1), 0); // @store
    }
}

// EXPECT kernel negative_extent
// EXPECT verdict unknown
// EXPECT TR010 @loop

tile_kernel void extent(float *restrict x, float *restrict y, int n)
{
    y[tile_bid(0)] = 1.0f;
    for (int i = 0; i < 1; i += 0) { // @loop2
        tile_view v = tile_partition(tile_tensor(x, n - n + 8), 1);
        tile_store(v, tile_full(1.0f, 1), 0); // @store2
    }
}

// EXPECT kernel extent
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @store2 @store2
// EXPECT TR010 @loop2

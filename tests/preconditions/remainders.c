/* Sizes that have to be whole tiles: the words name the size and the tile. */
#include <tile.h>

tile_kernel void asserted_tiles(float *restrict y, int n)
{
    tile_assert((n + 63) % 64 == 63);
    tile_store(tile_partition(tile_tensor(y, n), 64), 1.0f, tile_bid(0));
}

tile_kernel void asserted_pairs(float *restrict y, int n)
{
    tile_assert((n + 5) % 4 == 3);
    tile_store(tile_partition(tile_tensor(y, n), 64), 1.0f, tile_bid(0));
}

tile_kernel void asserted_threes(float *restrict y, int n)
{
    tile_assert((n + 5) % 4 == 0);
    tile_store(tile_partition(tile_tensor(y, n), 64), 1.0f, tile_bid(0));
}

// EXPECT kernel asserted_tiles
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch
// EXPECT requires index-in-space:launch
// EXPECT asks n % 64 == 0
// EXPECT asks grid.x <= cdiv(n, 64)

// EXPECT kernel asserted_pairs
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch
// EXPECT requires no-wrap:launch
// EXPECT requires index-in-space:launch
// EXPECT asks n % 4 == 2
// EXPECT asks n <= 2147483642
// EXPECT asks grid.x <= (n + 63) / 64

// EXPECT kernel asserted_threes
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch
// EXPECT requires no-wrap:launch
// EXPECT requires index-in-space:launch
// EXPECT asks n % 4 == 3
// EXPECT asks n <= 2147483642
// EXPECT asks grid.x <= (n + 63) / 64

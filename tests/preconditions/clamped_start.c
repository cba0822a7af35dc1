/* A clamped start: the last tile is moved back over the one before it. */
#include <tile.h>

tile_kernel void clamped(float *y, int n)
{
    tile first = tile_min(tile_bid(0) * 64, n - 64);
    tile_store_ptr(tile_pointers(y, first + tile_iota(64)), 1.0f); // @clamped
}

tile_kernel void clamped_rows(float *y, int m, int pitch)
{
    int first = tile_min(tile_bid(0) * 16, m - 16);
    tile r = tile_expand(first + tile_iota(16), 1), c = tile_expand(tile_iota(32), 0);
    tile_store_ptr(tile_pointers(y, r * pitch + c), 1.0f); // @rows
}

tile_kernel void clamped_last(float *y, int n)
{
    int i = tile_bid(0);
    y[i < n ? i : n - 1] = 1.0f; // @last
}

// EXPECT kernel clamped
// EXPECT verdict race
// EXPECT TR001 @clamped @clamped
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel clamped_rows
// EXPECT verdict race
// EXPECT TR001 @rows @rows
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race
// EXPECT observable no

// EXPECT kernel clamped_last
// EXPECT verdict race
// EXPECT TR001 @last @last
// EXPECT requires no-wrap:launch
// EXPECT observable no

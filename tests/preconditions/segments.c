/* Segments of one buffer, told apart by offsets that are looked up. */
#include <tile.h>

tile_kernel void by_lengths(float *y, const int *offset, const int *length)
{
    int b = tile_bid(0), from = offset[b];
    for (int j = 0; j < length[b]; j++)
        y[from + j] = 1.0f; // @lengths
}

tile_kernel void by_ends(float *y, const int *offset)
{
    int b = tile_bid(0);
    for (int j = offset[b]; j < offset[b + 1]; j++)
        y[j] = 1.0f; // @ends
}

tile_kernel void by_tiles(float *y, const int *offset, const int *length)
{
    int b = tile_bid(1);
    tile j = tile_bid(0) * 64 + tile_iota(64);
    tile_store_masked(tile_pointers(y, offset[b] + j), 1.0f, tile_lt(j, length[b])); // @tiles
}

// EXPECT kernel by_lengths
// EXPECT verdict conditional
// EXPECT TR001 @lengths @lengths
// EXPECT requires contents-range:race no-wrap:launch prefix-sum:race

// EXPECT kernel by_ends
// EXPECT verdict conditional
// EXPECT TR001 @ends @ends
// EXPECT requires increasing-contents:race

// EXPECT kernel by_tiles
// EXPECT verdict conditional
// EXPECT TR001 @tiles @tiles
// EXPECT requires contents-range:launch contents-range:race prefix-sum:race

// The prefix sum of numbers that may be negative can decrease: rows may overlap.
#include <tile.h>

tile_kernel void prefix_of_any(const int *lengths, const int *offsets, float *out, int n)
{
    tile_grid(n);
    tile_assume(n > 0 && n <= 64);
    tile_extent(lengths, n);
    tile_extent(offsets, n + 1);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0);
    for (int i = offsets[b]; i < offsets[b + 1]; i++)
        out[i] = 0.0f; // @store
}

// EXPECT kernel prefix_of_any
// EXPECT verdict unknown
// EXPECT reason unreplayed-witness
// EXPECT requires contents-range:race

tile_kernel void prefix_of_lengths(const int *lengths, const int *offsets, float *out, int n)
{
    tile_grid(n);
    tile_assume(n > 0 && n <= 64);
    tile_extent(lengths, n);
    tile_extent(offsets, n + 1);
    tile_contents(lengths, 0, 16);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0);
    for (int i = offsets[b]; i < offsets[b + 1]; i++)
        out[i] = 0.0f;
}

// EXPECT kernel prefix_of_lengths
// EXPECT verdict race-free

/* Lengths whose sums are the offsets, as the contract says: that the offsets are lengths, and the
 * lengths their sums, would leave nothing but 0 in both. */
#include <tile.h>

tile_kernel void swapped(int *restrict x, const int *restrict off, const int *restrict len)
{
    tile_prefix_sum(off, len);
    tile_contents(len, 0, 100);
    int b = tile_bid(0);
    for (int i = 0; i < off[b]; i++)
        x[len[b] + i] = 1; // @swapped
}

tile_kernel void swapped_of_any(int *restrict x, const int *restrict off, const int *restrict len)
{
    tile_prefix_sum(off, len);
    int b = tile_bid(0);
    for (int i = 0; i < off[b]; i++)
        x[len[b] + i] = 1; // @swapped_of_any
}

tile_kernel void swapped_lanes(int *restrict x, const int *restrict off, const int *restrict len)
{
    tile_prefix_sum(off, len);
    int b = tile_bid(0);
    tile e = tile_iota(64);
    tile_store_masked(tile_pointers(x, len[b] + e), 1, tile_lt(e, off[b])); // @swapped_lanes
}

/* Nothing is stated: the table that is asked for may be the one. */
tile_kernel void open(int *restrict x, const int *restrict off, const int *restrict len)
{
    int b = tile_bid(0);
    for (int i = 0; i < len[b]; i++)
        x[off[b] + i] = 1; // @open
}

tile_kernel void straight(int *restrict x, const int *restrict off, const int *restrict len)
{
    tile_prefix_sum(off, len);
    tile_contents(len, 0, 100);
    int b = tile_bid(0);
    for (int i = 0; i < len[b]; i++)
        x[off[b] + i] = 1;
}

// EXPECT kernel swapped
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @swapped @swapped
// EXPECT requires no-wrap:launch

// EXPECT kernel swapped_of_any
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @swapped_of_any @swapped_of_any
// EXPECT requires no-wrap:launch

// EXPECT kernel swapped_lanes
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @swapped_lanes @swapped_lanes
// EXPECT requires contents-range:launch

// EXPECT kernel open
// EXPECT verdict conditional
// EXPECT TR001 @open @open
// EXPECT requires prefix-sum:race contents-range:race no-wrap:launch

// EXPECT kernel straight
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

/* Several lists in one buffer, one behind the other, with an element of each for every tile block.
 * The length of a list is passed beside: it has to be at least the number of tile blocks. */
#include <tile.h>

tile_kernel void two_lists(int *restrict counts, int n)
{
    counts[tile_bid(0)] = 1;     // @two_first
    counts[n + tile_bid(0)] = 2; // @two_second
}

// EXPECT kernel two_lists
// EXPECT verdict conditional
// EXPECT TR001 @two_first @two_second
// EXPECT requires grid-bound:race no-wrap
// EXPECT observable yes

tile_kernel void four_lists(int *restrict counts, int n)
{
    int b = tile_bid(0);
    counts[b] = 1;     // @four_first
    counts[n + b] = 2; // @four_second
    counts[2 * n + b] = 3;
    counts[3 * n + b] = 4;
}

// EXPECT kernel four_lists
// EXPECT verdict conditional
// EXPECT TR001 @four_first @four_second
// EXPECT requires grid-bound:race no-wrap
// EXPECT observable yes

tile_kernel void lists_of_tiles(float *restrict x, int n)
{
    tile lane = tile_iota(32) + 32 * tile_bid(0);
    tile_store_ptr(tile_pointers(x, lane), tile_full(1.0f, 32));     // @tiles_first
    tile_store_ptr(tile_pointers(x, lane + n), tile_full(2.0f, 32)); // @tiles_second
}

// EXPECT kernel lists_of_tiles
// EXPECT verdict conditional
// EXPECT TR001 @tiles_first @tiles_second
// EXPECT requires grid-bound:race in-bounds:launch no-wrap
// EXPECT observable yes

tile_kernel void lists_in_bounds(int *restrict counts, int n, int size)
{
    int b = tile_bid(0);
    if (b < size)
        counts[b] = 1; // @bounds_first
    if (n + b < size)
        counts[n + b] = 2; // @bounds_second
}

// EXPECT kernel lists_in_bounds
// EXPECT verdict conditional
// EXPECT TR001 @bounds_first @bounds_second
// EXPECT requires grid-bound:race no-wrap
// EXPECT observable yes

tile_kernel void stated_length(int *restrict counts)
{
    counts[tile_bid(0)] = 1;
    counts[tile_grid_extent(0) + tile_bid(0)] = 2;
}

// EXPECT kernel stated_length
// EXPECT verdict race-free

tile_kernel void one_too_near(int *restrict counts)
{
    counts[tile_bid(0)] = 1;                           // @near_first
    counts[tile_grid_extent(0) - 1 + tile_bid(0)] = 2; // @near_second
}

// EXPECT kernel one_too_near
// EXPECT verdict race
// EXPECT TR001 @near_first @near_second
// EXPECT observable yes

tile_kernel void neighbours(int *restrict counts, int n)
{
    int b = tile_bid(0);
    counts[b] = 1;     // @neighbour_first
    counts[b + 1] = n; // @neighbour_second
}

// EXPECT kernel neighbours
// EXPECT verdict race
// EXPECT TR001 @neighbour_first @neighbour_second
// EXPECT observable yes

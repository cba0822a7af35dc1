/* Block ids that are digits of an index, with a constant number of places for the inner one. */
#include <tile.h>

tile_kernel void two_groups(float *restrict y, int n)
{
    int row = tile_bid(0) * 2 + tile_bid(1);
    if (row < n)
        y[row] = 1.0f; // @two
}

tile_kernel void three_groups(float *restrict y, int n)
{
    int row = tile_bid(0) * 3 + tile_bid(1);
    if (row < n)
        y[row] = 1.0f; // @three
}

/* A precondition would leave one block on an axis that the kernel reads. */
tile_kernel void one_group(float *restrict y, int n)
{
    int row = tile_bid(0) + tile_bid(1);
    if (row < n)
        y[row] = 1.0f; // @one
}

/* Beside what the kernel asserts the bound would leave one extent of the axis. */
tile_kernel void two_groups_or_more(float *restrict y, int n)
{
    tile_assert(tile_grid_extent(1) >= 2);
    int row = tile_bid(0) * 2 + tile_bid(1);
    if (row < n)
        y[row] = 1.0f; // @or_more
}

/* The other axis is the inner one. */
tile_kernel void two_columns(float *restrict y, int n)
{
    int place = tile_bid(1) * 2 + tile_bid(0);
    if (place < n)
        y[place] = 1.0f; // @columns
}

// EXPECT kernel two_groups
// EXPECT verdict conditional
// EXPECT TR001 @two @two
// EXPECT requires grid-bound:race
// EXPECT asks grid.y <= 2

// EXPECT kernel three_groups
// EXPECT verdict conditional
// EXPECT TR001 @three @three
// EXPECT requires grid-bound:race
// EXPECT asks grid.y <= 3

// EXPECT kernel one_group
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @one @one

// EXPECT kernel two_groups_or_more
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @or_more @or_more
// EXPECT requires kernel-assume:launch

// EXPECT kernel two_columns
// EXPECT verdict conditional
// EXPECT TR001 @columns @columns
// EXPECT requires grid-bound:race
// EXPECT asks grid.x <= 2

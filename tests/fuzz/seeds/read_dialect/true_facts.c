/* A true fact of the launch takes nothing from what the verdict asks of it: the other side of a
 * parameter stays open, and a negative extent is undefined whatever is stated. */
#include <tile.h>

tile_kernel void even_steps(float *restrict x, int s, int m)
{
    tile_assume(s % 2 == 0 && s <= 64);
    for (int i = tile_bid(0); i < m; i += s)
        x[i] = 1.0f; // @even_steps
}

tile_kernel void short_steps(float *restrict x, int s, int m)
{
    tile_assume(s <= 64);
    for (int i = tile_bid(0); i < m; i += s)
        x[i] = 1.0f; // @short_steps
}

tile_kernel void no_large_divisor(float *restrict x, int *restrict z, int n)
{
    tile_assume(n <= 100);
    int b = tile_bid(0);
    z[b] = 100 / n;
    x[b] = 1.0f;
}

tile_kernel void no_far_shift(int *restrict x, int n)
{
    tile_assume(n < 32);
    x[tile_bid(0)] = 1 << n;
}

tile_kernel void loose_extent(float *restrict y, int n)
{
    tile_assume(n >= -5);
    tile_view v = tile_partition(tile_tensor(y, n), 64);
    for (int i = tile_bid(0); i < tile_tiles(v, 0); i += tile_grid_extent(0))
        tile_store(v, tile_full(1.0f, 64), i);
}

tile_kernel void loose_extent_divided(float *restrict y, int n)
{
    tile_assume(n >= -5 && n <= 5000);
    tile_view v = tile_partition(tile_tensor(y, n), 64);
    for (int i = tile_bid(0); i < tile_tiles(v, 0); i += tile_grid_extent(0))
        tile_store(v, tile_full(1.0f, 64), i / 2); // @loose_extent_divided
}

/* Both signs are stated to be launches: what is undefined there is an error. */
tile_kernel void both_signs(int *restrict x, int *restrict z, int n)
{
    tile_assume(n >= -5 && n <= 5);
    int b = tile_bid(0);
    z[b] = 100 / n; // @both_signs
    x[b] = 1;
}

/* What is stated of two parameters speaks of each. */
tile_kernel void less_than_the_other(int *restrict x, int *restrict z, int n, int m)
{
    tile_assume(n <= m && m <= 9 && m >= 0);
    int b = tile_bid(0);
    z[b] = 100 / n; // @less_than_the_other
    x[b] = 1;
}

// EXPECT kernel even_steps
// EXPECT verdict conditional
// EXPECT TR001 @even_steps @even_steps
// EXPECT requires grid-bound:race

// EXPECT kernel short_steps
// EXPECT verdict conditional
// EXPECT TR001 @short_steps @short_steps
// EXPECT requires grid-bound:race

// EXPECT kernel no_large_divisor
// EXPECT verdict race-free
// EXPECT asks n > 0
// EXPECT requires positive-divisor

// EXPECT kernel no_far_shift
// EXPECT verdict race-free
// EXPECT asks n >= 0
// EXPECT requires no-wrap

// EXPECT kernel loose_extent
// EXPECT verdict race-free
// EXPECT asks n >= 0
// EXPECT requires no-wrap

// EXPECT kernel loose_extent_divided
// EXPECT verdict race
// EXPECT TR001 @loose_extent_divided @loose_extent_divided
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel both_signs
// EXPECT verdict race-free
// EXPECT TR010 @both_signs

// EXPECT kernel less_than_the_other
// EXPECT verdict race-free
// EXPECT TR010 @less_than_the_other

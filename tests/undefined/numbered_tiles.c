/* Tiles that are numbered in groups of rows, as products of matrices do it to be kind to the cache.
 * What is stated of other sizes takes nothing from what silence asks of the divisors. */
#include <tile.h>

enum { T = 32, GROUP = 8 };

tile_kernel void no_statement(float *restrict c, int m, int n)
{
    tile_view out = tile_partition(tile_tensor(c, m, n), T, T);
    int rows = tile_cdiv(m, T), columns = tile_cdiv(n, T), b = tile_bid(0);
    int first = b / (GROUP * columns) * GROUP, height = tile_min(rows - first, GROUP);
    tile_store(out, tile_full(1.0f, T, T), first + b % height, b % (GROUP * columns) / height);
}

// EXPECT kernel no_statement
// EXPECT verdict race-free
// EXPECT asks m >= 0
// EXPECT asks n > 0
// EXPECT asks grid.x <= (m + 31) / 32 * ((n + 31) / 32)
// EXPECT requires no-wrap positive-divisor

tile_kernel void of_another_size(float *restrict c, int m, int n, int k)
{
    tile_assume(k <= 4096);
    tile_view out = tile_partition(tile_tensor(c, m, n), T, T);
    int rows = tile_cdiv(m, T), columns = tile_cdiv(n, T), b = tile_bid(0);
    int first = b / (GROUP * columns) * GROUP, height = tile_min(rows - first, GROUP);
    tile_store(out, tile_full((float)k, T, T), first + b % height, b % (GROUP * columns) / height);
}

// EXPECT kernel of_another_size
// EXPECT verdict race-free
// EXPECT asks m >= 0
// EXPECT asks n > 0
// EXPECT asks grid.x <= (m + 31) / 32 * ((n + 31) / 32)
// EXPECT requires no-wrap positive-divisor

tile_kernel void of_the_other_side(float *restrict c, int m, int n)
{
    tile_assume(m <= 4096);
    tile_view out = tile_partition(tile_tensor(c, m, n), T, T);
    int rows = tile_cdiv(m, T), columns = tile_cdiv(n, T), b = tile_bid(0);
    int first = b / (GROUP * columns) * GROUP, height = tile_min(rows - first, GROUP);
    tile_store(out, tile_full(1.0f, T, T), first + b % height, b % (GROUP * columns) / height);
}

// EXPECT kernel of_the_other_side
// EXPECT verdict race-free
// EXPECT asks m >= 0
// EXPECT asks n > 0
// EXPECT asks grid.x <= (n + 31) / 32 * ((m + 31) / 32)
// EXPECT requires no-wrap positive-divisor

/* By the size of a full group, which the last one does not have. */
tile_kernel void ragged_group(float *restrict c, int m, int n, int k)
{
    tile_assume(k <= 4096);
    tile_view out = tile_partition(tile_tensor(c, m, n), T, T);
    int rows = tile_cdiv(m, T), columns = tile_cdiv(n, T), b = tile_bid(0);
    int first = b / (GROUP * columns) * GROUP, height = tile_min(rows - first, GROUP);
    tile_store(out, tile_full((float)k, T, T), first + b % height, // @ragged_group
               b % (GROUP * columns) / GROUP);
}

// EXPECT kernel ragged_group
// EXPECT verdict race
// EXPECT TR001 @ragged_group @ragged_group
// EXPECT requires no-wrap positive-divisor
// EXPECT observable no

/* An element a block, where it lies in the matrix. */
tile_kernel void by_place(float *restrict c, int m, int n, int k)
{
    tile_assume(k <= 4096);
    int b = tile_bid(0), first = b / (GROUP * n) * GROUP, height = tile_min(m - first, GROUP);
    int i = first + b % height, j = b % (GROUP * n) / height;
    if (i < m && j < n)
        c[i * n + j] = (float)k;
}

// EXPECT kernel by_place
// EXPECT verdict race-free
// EXPECT asks n > 0
// EXPECT asks n <= 268435455
// EXPECT asks grid.x <= m * n
// EXPECT requires no-wrap positive-divisor

tile_kernel void loads(const float *restrict a, float *restrict c, int m, int n, int k)
{
    tile_assume(k <= 4096);
    tile_view in = tile_partition(tile_tensor(a, m, n), T, T);
    tile_view out = tile_partition(tile_tensor(c, m, n), T, T);
    int rows = tile_cdiv(m, T), columns = tile_cdiv(n, T), b = tile_bid(0);
    int first = b / (GROUP * columns) * GROUP, height = tile_min(rows - first, GROUP);
    tile t = tile_load(in, first + b % height, b % (GROUP * columns) / height);
    tile_store(out, t * (float)k, b / columns, b % columns);
}

// EXPECT kernel loads
// EXPECT verdict race-free
// EXPECT asks m >= 0
// EXPECT asks n > 0
// EXPECT asks grid.x <= (m + 31) / 32 * ((n + 31) / 32)
// EXPECT requires no-wrap positive-divisor

/* The divisor is an extent, which is asked not to be negative: that states nothing of its sign. */
tile_kernel void in_a_branch(float *restrict x, int *restrict z, int n, int flag)
{
    tile_assume(n <= 64);
    tile_view v = tile_partition(tile_tensor(x, n), 1);
    if (flag > 0)
        z[tile_bid(0)] = 100 / n;
    for (int i = tile_bid(0); i < tile_tiles(v, 0); i += tile_grid_extent(0))
        tile_store(v, tile_full(1.0f, 1), i);
}

// EXPECT kernel in_a_branch
// EXPECT verdict race-free
// EXPECT asks n >= 0
// EXPECT asks flag <= 0 || n > 0
// EXPECT requires no-wrap positive-divisor

/* Bounded from below, though not well: 0 is stated to be a launch. */
tile_kernel void stated_low(float *restrict x, int *restrict z, int n, int flag)
{
    tile_assume(n >= -5 && n <= 64 && flag <= 1 && flag >= 0);
    tile_view v = tile_partition(tile_tensor(x, n), 1);
    if (flag > 0)
        z[tile_bid(0)] = 100 / n; // @stated_low
    for (int i = tile_bid(0); i < tile_tiles(v, 0); i += tile_grid_extent(0))
        tile_store(v, tile_full(1.0f, 1), i);
}

// EXPECT kernel stated_low
// EXPECT verdict race-free
// EXPECT TR010 @stated_low
// EXPECT asks n >= 0
// EXPECT requires no-wrap

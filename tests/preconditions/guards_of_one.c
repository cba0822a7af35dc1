/* A guard that is one too wide, beside an access that has none, or one that is as wide as it should
 * be. A row so long that the guard never guards would excuse it, though only one of the two
 * accesses loses its guard. */
#include <tile.h>

enum { T = 64 };

/* Each block reads its row up to the next row's first place, which the next block writes. */
tile_kernel void first_place(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile t = tile_load_masked(tile_pointers(x, b * n + e), tile_le(e, n), 0.0f); // @row
    x[b * n] = tile_to_float(tile_reduce_sum(t, 0));                             // @first
}

tile_kernel void first_place_of_the_row(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile t = tile_load_masked(tile_pointers(x, b * n + e), tile_lt(e, n), 0.0f);
    x[b * n] = tile_to_float(tile_reduce_sum(t, 0));
}

/* From the end of the row down to the place before its first. */
tile_kernel void last_place(float *restrict x, float *restrict y, int n)
{
    tile_assume(n > 1);
    int b = tile_bid(0);
    for (int e = 0; e < T; e++)
        if (e <= n)
            y[b] += x[b * n + n - 1 - e]; // @down
    x[b * n + n - 1] = 1.0f;              // @last
}

/* The other guard is narrower than a row of 64 is. */
tile_kernel void all_but_one(float *restrict x, float *restrict y, int n)
{
    tile_assume(n > 1);
    int b = tile_bid(0);
    for (int e = 0; e < T; e++)
        if (e < n - 1)
            x[b * n + e] = 1.0f; // @but_one
    for (int e = 0; e < T; e++)
        if (e <= n)
            y[b] += x[b * n + e]; // @all
}

/* The guard that is too wide is that of the store, which begins at the second place. */
tile_kernel void from_second(float *restrict x, float *restrict y, int n)
{
    tile_assume(n > 2);
    int b = tile_bid(0);
    for (int e = 0; e < T; e++)
        if (e > 0 && e <= n)
            x[b * n + e] = 1.0f; // @second
    for (int e = 0; e < T; e++)
        if (e < n - 1)
            y[b] += x[b * n + e]; // @others
}

tile_kernel void two_too_many(float *restrict x, float *restrict y, int n)
{
    tile_assume(n > 1);
    int b = tile_bid(0);
    for (int e = 0; e < T; e++)
        if (e < n + 2)
            y[b] += x[b * n + e]; // @two
    x[b * n + 1] = 1.0f;          // @at_one
}

/* The guard is of a position that is looked up. */
tile_kernel void position(float *restrict x, float *restrict y, const int *restrict pos, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), p = pos[b];
    if (p >= 0 && p <= n)
        y[b] = x[b * n + p]; // @position
    x[b * n] = 1.0f;         // @start
}

/* The row is written through a view, and read by pointers. */
tile_kernel void view_of_rows(float *restrict x, float *restrict y, int m, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    tile_view rows = tile_partition(tile_tensor(x, m, n), 1, 1);
    tile e = tile_iota(T);
    tile t = tile_load_masked(tile_pointers(x, b * n + e), tile_le(e, n), 0.0f); // @by_pointers
    tile_store(rows, tile_zeros(float, 1, 1), b, 0);                             // @by_view
    y[b] = tile_to_float(tile_reduce_sum(t, 0));
}

/* What has no guard needs the longer row by itself. */
tile_kernel void whole_lanes(float *restrict x, float *restrict y, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile t = tile_load_ptr(tile_pointers(x, b * n + e));                     // @lanes
    tile_store_masked(tile_pointers(x, b * n + e), t + 1.0f, tile_lt(e, n)); // @guarded
}

// EXPECT kernel first_place
// EXPECT verdict race
// EXPECT TR002 @row @first
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel first_place_of_the_row
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel last_place
// EXPECT verdict race
// EXPECT TR002 @down @last
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel all_but_one
// EXPECT verdict race
// EXPECT TR002 @but_one @all
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel from_second
// EXPECT verdict race
// EXPECT TR002 @second @others
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel two_too_many
// EXPECT verdict race
// EXPECT TR002 @two @at_one
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel position
// EXPECT verdict race
// EXPECT TR002 @position @start
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel view_of_rows
// EXPECT verdict race
// EXPECT TR002 @by_pointers @by_view
// EXPECT requires index-in-space:launch no-wrap:launch
// EXPECT observable yes

// EXPECT kernel whole_lanes
// EXPECT verdict conditional
// EXPECT TR002 @lanes @guarded
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

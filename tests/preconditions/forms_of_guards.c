/* Guards that are one too wide, by the form that they have: of a size that the contract equates
 * with the row's, at a maximum, at one of several breaks, and behind many other guards. */
#include <tile.h>

enum { T = 64 };

/* The row's length is stated to be the guard's. */
tile_kernel void stated_to_be_equal(float *restrict x, int n, int s)
{
    tile_assume(n > 0 && s == n);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * s + e), 1.0f, tile_le(e, n)); // @equal
}

tile_kernel void stated_to_be_several(float *restrict x, int n, int s)
{
    tile_assume(n > 0 && s == 8 * n);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * s + 8 * e), 1.0f, tile_le(e, n)); // @several
}

tile_kernel void at_a_maximum(float *restrict x, int n, int d)
{
    tile_assume(n > 0 && d <= n);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * n + e), 1.0f, // @maximum
                      tile_le(tile_maximum(e, d), n));
}

tile_kernel void before_a_maximum(float *restrict x, int n, int d)
{
    tile_assume(n > 0 && d < n);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_lt(tile_maximum(e, d), n));
}

/* Of two breaks, the one behind the store is no guard of a row. */
tile_kernel void two_breaks(float *restrict x, int n, int last)
{
    tile_assume(n > 0);
    for (int i = 0; i < T; i++) {
        if (i > n)
            break;
        x[tile_bid(0) * n + i] = 1.0f; // @two_breaks
        if (i == last)
            break;
    }
}

tile_kernel void many_guards(float *restrict x, const int *restrict kind, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), c = kind[b];
    tile e = tile_iota(T);
    if (c != 1 && c != 3 && c != 5 && c != 7 && c != 9 && c != 11 && c != 13 && c != 15 &&
        c != 17 && c != 19 && c != 21 && c != 23 && c != 25 && c != 27 && c != 29 && c != 31)
        tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_le(e, n)); // @many
}

/* A guard that the launch decides says nothing of lanes. */
tile_kernel void by_launch(float *restrict x, int n)
{
    int b = tile_bid(0);
    tile e = tile_iota(T);
    if (n > 3)
        tile_store_ptr(tile_pointers(x, b * n + e), 1.0f); // @by_launch
}

/* The lanes end at a number, so a row that holds as many never needs the other guard. */
tile_kernel void below_a_number(float *restrict x, const int *restrict kind, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), c = kind[b];
    for (int e = 0; e < T; e++)
        if (c > 0 && c < 9 && e < 48 && e <= n)
            x[b * n + e] = 1.0f; // @number
}

tile_kernel void smaller_of_two(float *restrict x, int n, int m)
{
    tile_assume(n > 0 && m > 0);
    int b = tile_bid(0);
    for (int e = 0; e < T; e++)
        if (e < 48 && e <= tile_min(n, m))
            x[b * n + e] = 1.0f; // @of_first
}

tile_kernel void smaller_of_two_others(float *restrict x, int n, int m)
{
    tile_assume(n > 0 && m > 0);
    int b = tile_bid(0);
    for (int e = 0; e < T; e++)
        if (e < 48 && e <= tile_min(n, m))
            x[b * m + e] = 1.0f; // @of_second
}

tile_kernel void smaller_of_a_number(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_le(e, tile_min(n, 47))); // @smaller
}

/* The table is the first argument. */
tile_kernel void first_argument(const int *restrict len, float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), l = len[b];
    tile e = tile_iota(T);
    if (l <= n)
        tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_le(e, l)); // @first
}

// EXPECT kernel stated_to_be_equal
// EXPECT verdict race
// EXPECT TR001 @equal @equal
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel stated_to_be_several
// EXPECT verdict race
// EXPECT TR001 @several @several
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel at_a_maximum
// EXPECT verdict race
// EXPECT TR001 @maximum @maximum
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel before_a_maximum
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel two_breaks
// EXPECT verdict race
// EXPECT TR001 @two_breaks @two_breaks
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel many_guards
// EXPECT verdict race
// EXPECT TR001 @many @many
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel by_launch
// EXPECT verdict conditional
// EXPECT TR001 @by_launch @by_launch
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel below_a_number
// EXPECT verdict race
// EXPECT TR001 @number @number
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel smaller_of_two
// EXPECT verdict race
// EXPECT TR001 @of_first @of_first
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel smaller_of_two_others
// EXPECT verdict race
// EXPECT TR001 @of_second @of_second
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel smaller_of_a_number
// EXPECT verdict race
// EXPECT TR001 @smaller @smaller
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel first_argument
// EXPECT verdict race
// EXPECT TR001 @first @first
// EXPECT requires no-wrap:launch
// EXPECT observable no

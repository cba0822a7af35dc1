/* A guard that says how long a row may be, and one that lets one element more than the length
 * through. Only both together let one too many into a row, and a row as long as the lanes would
 * excuse it. */
#include <tile.h>

enum { T = 64 };

tile_kernel void up_to_length(float *restrict x, const int *restrict len, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), l = len[b];
    tile e = tile_iota(T);
    if (l <= n)
        tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_le(e, l)); // @up_to
}

tile_kernel void below_length(float *restrict x, const int *restrict len, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), l = len[b];
    tile e = tile_iota(T);
    if (l <= n)
        tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_lt(e, l));
}

tile_kernel void left_early(float *restrict x, const int *restrict len, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), l = len[b];
    if (l > n)
        return;
    for (int e = 0; e < T; e++)
        if (e <= l)
            x[b * n + e] = 1.0f; // @left_early
}

/* The length is counted from another number. */
tile_kernel void from_start(float *restrict x, const int *restrict end, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), l = end[b] - 7;
    if (l < n + 1)
        for (int e = 0; e < T; e++)
            if (e < l + 1)
                x[b * n + e] = 1.0f; // @from_start
}

/* Two lengths, each below the next bound. */
tile_kernel void of_two_tables(float *restrict x, const int *restrict len, const int *restrict most,
                               int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), l = len[b], m = most[b];
    tile e = tile_iota(T);
    if (l <= m && m <= n)
        tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_le(e, l)); // @of_two
}

/* The store beside it has no guard, and is at the row's first place. */
tile_kernel void read_up_to(float *restrict x, float *restrict y, const int *restrict len, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), l = len[b];
    tile e = tile_iota(T);
    if (l <= n) {
        tile t = tile_load_masked(tile_pointers(x, b * n + e), tile_le(e, l), 0.0f); // @read
        y[b] = tile_to_float(tile_reduce_sum(t, 0));
    }
    x[b * n] = 1.0f; // @written
}

/* The bound is of another extent than the row's length, and still guards. */
tile_kernel void pitch_of_lengths(float *restrict x, const int *restrict len, int n, int pitch)
{
    tile_assume(n > 0);
    int b = tile_bid(0), l = len[b];
    tile e = tile_iota(T);
    if (l <= n)
        tile_store_masked(tile_pointers(x, b * pitch + e), 1.0f, tile_lt(e, l)); // @pitch
}

// EXPECT kernel up_to_length
// EXPECT verdict race
// EXPECT TR001 @up_to @up_to
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel below_length
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel left_early
// EXPECT verdict race
// EXPECT TR001 @left_early @left_early
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel from_start
// EXPECT verdict race
// EXPECT TR001 @from_start @from_start
// EXPECT requires contents-range:launch no-wrap:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel of_two_tables
// EXPECT verdict race
// EXPECT TR001 @of_two @of_two
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel read_up_to
// EXPECT verdict race
// EXPECT TR002 @read @written
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel pitch_of_lengths
// EXPECT verdict conditional
// EXPECT TR001 @pitch @pitch
// EXPECT requires contents-range:race no-wrap:launch no-wrap:launch

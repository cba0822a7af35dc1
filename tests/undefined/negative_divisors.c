/* A divisor that is a size is asked to be positive, although a negative one is defined. Where such
 * a launch races, the race is shown, and "it is positive" is what the verdict depends on. */
#include <tile.h>

tile_kernel void sign_chooses(float *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / n;
    x[n < 0 ? 0 : b] = 1.0f; // @sign_chooses
}

tile_kernel void stride_of_zero(float *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / n;
    x[1000 + b * (n + 1)] = 1.0f; // @stride_of_zero
}

tile_kernel void of_a_remainder(float *restrict x, int n, int m)
{
    int q = m % n;
    x[1000 + tile_bid(0) * (n + 3)] = q; // @of_a_remainder
}

tile_kernel void of_a_long(int *restrict x, long *restrict z, long n)
{
    int b = tile_bid(0);
    z[b] = 100 / n;
    x[n < -1 ? 0 : b] = 1; // @of_a_long
}

tile_kernel void below_all_blocks(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / (n - b);
    x[n < 0 ? 0 : b] = 1; // @below_all_blocks
}

/* Rows fit their pitch in both; of columns below 0 they still meet. */
tile_kernel void rows_at_a_pitch(int *restrict x, int columns, int pitch)
{
    int b = tile_bid(0);
    x[100000 + b / columns * pitch + b % columns] = 1; // @rows_at_a_pitch
}

/* Only one of two divisors matters. */
tile_kernel void second_of_two(int *restrict x, int *restrict z, int n, int m)
{
    int b = tile_bid(0);
    z[b] = 100 / n + 100 / m;
    x[m < 0 ? b / 2 : b] = 1; // @second_of_two
}

/* ---- What no negative divisor can hurt ---- */

tile_kernel void of_no_matter(float *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / n;
    x[b] = 1.0f;
}

tile_kernel void quotient_and_remainder(int *restrict x, int n)
{
    int b = tile_bid(0);
    x[100000 + b / n * n + b % n] = 1;
}

/* A negative extent is undefined in itself. */
tile_kernel void also_an_extent(float *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    tile_view v = tile_partition(tile_tensor(x, n), 16);
    z[b] = 100 / n;
    tile_store(v, tile_full(1.0f, 16), n < 0 ? 0 : b);
}

tile_kernel void never_negative(int *restrict x, int *restrict z, unsigned n)
{
    int b = tile_bid(0);
    z[b] = 100 / n;
    x[n > 0 ? b : 0] = 1;
}

/* The store waits for another precondition, with either sign. */
tile_kernel void by_table(int *restrict x, int *restrict z, const int *restrict t, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / n;
    x[t[b]] = 1; // @by_table
}

tile_kernel void asserted(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    tile_assert(n >= -3 && n != -2);
    z[b] = 100 / n;
    x[n < -3 || n == -2 ? 0 : b] = 1;
}

/* Each alone does no harm, and all races of the two are of both. */
tile_kernel void both_of_two(int *restrict x, int *restrict z, int n, int m)
{
    int b = tile_bid(0);
    z[b] = 100 / n + 100 / m;
    x[m < 0 && n < 0 ? b / 2 : b] = 1; // @both_of_two
}

// EXPECT kernel sign_chooses
// EXPECT verdict conditional
// EXPECT TR001 @sign_chooses @sign_chooses
// EXPECT asks n > 0
// EXPECT requires positive-divisor:race

// EXPECT kernel stride_of_zero
// EXPECT verdict conditional
// EXPECT TR001 @stride_of_zero @stride_of_zero
// EXPECT requires positive-divisor:race no-wrap

// EXPECT kernel of_a_remainder
// EXPECT verdict conditional
// EXPECT TR001 @of_a_remainder @of_a_remainder
// EXPECT requires positive-divisor:race no-wrap

// EXPECT kernel of_a_long
// EXPECT verdict conditional
// EXPECT TR001 @of_a_long @of_a_long
// EXPECT requires positive-divisor:race

// EXPECT kernel below_all_blocks
// EXPECT verdict conditional
// EXPECT TR001 @below_all_blocks @below_all_blocks
// EXPECT asks grid.x <= n
// EXPECT requires positive-divisor:race

// EXPECT kernel rows_at_a_pitch
// EXPECT verdict conditional
// EXPECT TR001 @rows_at_a_pitch @rows_at_a_pitch
// EXPECT TR001 @rows_at_a_pitch @rows_at_a_pitch
// EXPECT requires positive-divisor:race no-wrap stride-relation:race

// EXPECT kernel second_of_two
// EXPECT verdict conditional
// EXPECT TR001 @second_of_two @second_of_two
// EXPECT asks n > 0
// EXPECT asks m > 0
// EXPECT requires positive-divisor positive-divisor:race

// EXPECT kernel of_no_matter
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch

// EXPECT kernel quotient_and_remainder
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch

// EXPECT kernel also_an_extent
// EXPECT verdict race-free
// EXPECT requires index-in-space

// EXPECT kernel never_negative
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch

// EXPECT kernel by_table
// EXPECT verdict conditional
// EXPECT TR001 @by_table @by_table
// EXPECT requires positive-divisor:launch unique-contents:race

// EXPECT kernel asserted
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch

// EXPECT kernel both_of_two
// EXPECT verdict conditional
// EXPECT TR001 @both_of_two @both_of_two
// EXPECT asks n > 0
// EXPECT asks m > 0
// EXPECT requires positive-divisor:launch positive-divisor:race

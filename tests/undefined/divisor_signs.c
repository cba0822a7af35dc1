/* Only 0 is no divisor. One that sizes make positive is meant to be; what may as well be negative
 * is defined there, and a launch that makes it so excuses no race. */
#include <tile.h>

tile_kernel void below_parameter(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / (n - tile_grid_extent(0));
    x[b < n ? b : 0] = 1; // @below_parameter
}

tile_kernel void below_number(int *restrict x, int *restrict z)
{
    int b = tile_bid(0);
    z[b] = 100 / (3 - tile_grid_extent(0));
    x[b % 2] = 1; // @below_number
}

tile_kernel void by_quotient(int *restrict x)
{
    int g = tile_grid_extent(0);
    x[0] = 8 / (2 / g - 1) + tile_bid(0); // @by_quotient
}

tile_kernel void of_remainder(int *restrict x, int *restrict z)
{
    int b = tile_bid(0);
    z[b] = 100 % (3 - tile_grid_extent(0));
    x[b / 2] = 1; // @of_remainder
}

tile_kernel void less_five(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 8 / (n - 5);
    x[n < 5 ? 0 : b] = 1; // @less_five
}

tile_kernel void apart(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / (n - tile_grid_extent(0));
    x[b] = 1;
}

tile_kernel void tiles(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0), rows = (n + 63) / 64;
    z[b] = 100 / rows;
    x[(b / rows) * rows + b % rows] = 1;
}

/* For sizes of 1 and more the divisor goes through 0 on its way down; of a negative size it is
 * negative from the start. */
tile_kernel void block_by_block(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / (n - b);
    x[b < n ? b : 0] = 1; // @block_by_block
}

/* By steps of two it may go past 0. */
tile_kernel void past_zero(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / (n - 2 * b);
    x[2 * b < n ? b : 0] = 1; // @past_zero
}

tile_kernel void past_zero_by_parameter(int *restrict x, int *restrict z, int n, int s)
{
    int b = tile_bid(0);
    z[b] = 100 / (n - s * b);
    x[s * b < n ? b : 0] = 1; // @past_zero_by_parameter
}

/* A clamp is no size for being clamped: 3, 1, -1, -3, -5. */
tile_kernel void past_zero_clamped(int *restrict x, int *restrict z)
{
    int b = tile_bid(0);
    z[b] = 100 / (3 - tile_min(2 * b, 8));
    x[b % 2] = 1; // @past_zero_clamped
}

tile_kernel void past_zero_from_below(int *restrict x, int *restrict z)
{
    int b = tile_bid(0);
    z[b] = 100 / tile_max(3 - 2 * b, -5);
    x[b % 2] = 1; // @past_zero_from_below
}

/* Two steps of one are a step of two where they come together: at n = 8, of 1 in block 7. */
tile_kernel void past_zero_by_two_digits(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / (n - b - b / 8);
    x[b + b / 8 < n ? b : 0] = 1; // @past_zero_by_two_digits
}

/* No rows are a launch, too: the divisor is -1. */
tile_kernel void less_one(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 8 / (n - 1);
    x[n < 1 ? 0 : b] = 1; // @less_one
}

/* Slow steps pass through 0; of a negative size they start below it. */
tile_kernel void slowly(int *restrict x, int *restrict z, int n)
{
    int b = tile_bid(0);
    z[b] = 100 / tile_min(n - b * 2 / 3, 4);
    x[b * 2 / 3 < n ? b : 0] = 1; // @slowly
}

// EXPECT kernel below_parameter
// EXPECT verdict race
// EXPECT TR001 @below_parameter @below_parameter
// EXPECT requires positive-divisor
// EXPECT observable no

// EXPECT kernel below_number
// EXPECT verdict race
// EXPECT TR001 @below_number @below_number
// EXPECT requires positive-divisor
// EXPECT observable no

// EXPECT kernel by_quotient
// EXPECT verdict race
// EXPECT TR001 @by_quotient @by_quotient
// EXPECT requires positive-divisor
// EXPECT observable no

// EXPECT kernel of_remainder
// EXPECT verdict race
// EXPECT TR001 @of_remainder @of_remainder
// EXPECT requires positive-divisor
// EXPECT observable no

// EXPECT kernel less_five
// EXPECT verdict race
// EXPECT TR001 @less_five @less_five
// EXPECT requires positive-divisor
// EXPECT observable no

// EXPECT kernel apart
// EXPECT verdict race-free
// EXPECT requires positive-divisor

// EXPECT kernel tiles
// EXPECT verdict race-free
// EXPECT requires positive-divisor no-wrap

// EXPECT kernel block_by_block
// EXPECT verdict conditional
// EXPECT TR001 @block_by_block @block_by_block
// EXPECT requires positive-divisor:race

// EXPECT kernel past_zero
// EXPECT verdict race
// EXPECT TR001 @past_zero @past_zero
// EXPECT requires positive-divisor
// EXPECT observable no

// EXPECT kernel past_zero_by_parameter
// EXPECT verdict race
// EXPECT TR001 @past_zero_by_parameter @past_zero_by_parameter
// EXPECT requires positive-divisor no-wrap
// EXPECT observable no

// EXPECT kernel past_zero_clamped
// EXPECT verdict race
// EXPECT TR001 @past_zero_clamped @past_zero_clamped
// EXPECT observable no

// EXPECT kernel past_zero_from_below
// EXPECT verdict race
// EXPECT TR001 @past_zero_from_below @past_zero_from_below
// EXPECT observable no

// EXPECT kernel past_zero_by_two_digits
// EXPECT verdict race
// EXPECT TR001 @past_zero_by_two_digits @past_zero_by_two_digits
// EXPECT requires positive-divisor
// EXPECT observable no

// EXPECT kernel less_one
// EXPECT verdict race
// EXPECT TR001 @less_one @less_one
// EXPECT requires positive-divisor
// EXPECT observable no

// EXPECT kernel slowly
// EXPECT verdict conditional
// EXPECT TR001 @slowly @slowly
// EXPECT requires positive-divisor:race

/* Products that wrap by definition, where the launches that show the race are few among those that
 * wrap: the rows of a multiplier of several factors, several preconditions that only break
 * together, and products of an entry and a size, whose bound no contract can state. */
#include <tile.h>

tile_kernel void six_apart(float *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    x[t[tile_bid(0)] * 6u] = 1.0f; // @six_apart
}
// EXPECT kernel six_apart
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race
// EXPECT TR001 @six_apart @six_apart

tile_kernel void twelve_apart(double *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    x[t[tile_bid(0)] * 12u + 3u] = 1.0; // @twelve_apart
}
// EXPECT kernel twelve_apart
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race
// EXPECT TR001 @twelve_apart @twelve_apart

/* `2 * n` wraps together with all that it is multiplied by. */
tile_kernel void twice_the_columns(int *restrict x, unsigned n)
{
    unsigned column = tile_bid(0), row = tile_bid(1);
    if (column < n)
        x[row * (n * 2u) + column] = 1; // @twice_the_columns
}
// EXPECT kernel twice_the_columns
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race no-wrap:launch
// EXPECT TR001 @twice_the_columns @twice_the_columns

tile_kernel void sum_of_sizes(int *restrict x, unsigned n, unsigned m)
{
    unsigned column = tile_bid(0), row = tile_bid(1);
    if (column < n)
        x[row * (n + m) + column] = 1; // @sum_of_sizes
}
// EXPECT kernel sum_of_sizes
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race no-wrap:launch
// EXPECT TR001 @sum_of_sizes @sum_of_sizes

tile_kernel void planes(int *restrict x, unsigned h, unsigned w)
{
    unsigned column = tile_bid(0), row = tile_bid(1), plane = tile_bid(2);
    if (column < w && row < h)
        x[plane * (h * w) + row * w + column] = 1; // @planes
}
// EXPECT kernel planes
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race no-wrap:launch
// EXPECT TR001 @planes @planes

tile_kernel void of_an_entry(int *restrict x, const unsigned *restrict t, unsigned n)
{
    tile_unique(t);
    tile_assume(n >= 1);
    x[t[tile_bid(0)] * n] = 1; // @of_an_entry
}
// EXPECT kernel of_an_entry
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race
// EXPECT TR001 @of_an_entry @of_an_entry

/* What else is said in words is undefined where it does not hold, and so is no such launch. */
tile_kernel void beside_words(int *restrict x, int *restrict z, const unsigned *restrict t,
                              const int *restrict u)
{
    tile_unique(t);
    int b = tile_bid(0);
    z[b] = 100 / (u[b] * u[b + 1] - 7);
    x[t[b] * 2u] = 1; // @beside_words
}
// EXPECT kernel beside_words
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires positive-divisor:launch contents-range:race
// EXPECT TR001 @beside_words @beside_words

/* ---- What no value that wraps can hurt ---- */

/* 3 has an inverse modulo 2^32. */
tile_kernel void three_apart(int *restrict x, int *restrict z, const unsigned *restrict t,
                             const int *restrict u)
{
    tile_unique(t);
    int b = tile_bid(0);
    z[b] = 100 / (u[b] * u[b + 1] - 7);
    x[t[b] * 3u] = 1;
}
// EXPECT kernel three_apart
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch contents-range:launch

tile_kernel void in_64_bits(int *restrict x, const unsigned *restrict t, unsigned n)
{
    tile_unique(t);
    tile_assume(n >= 1);
    x[(unsigned long)t[tile_bid(0)] * n] = 1;
}
// EXPECT kernel in_64_bits
// EXPECT verdict race-free

tile_kernel void of_small_entries(int *restrict x, const unsigned *restrict t, unsigned n)
{
    tile_unique(t);
    tile_contents(t, 0, 15);
    tile_assume(n >= 1 && n <= 1000);
    x[t[tile_bid(0)] * n] = 1;
}
// EXPECT kernel of_small_entries
// EXPECT verdict race-free

tile_kernel void undefined_to_wrap(int *restrict x, const int *restrict t, int n)
{
    tile_unique(t);
    tile_contents(t, 0, 2147483647);
    tile_assume(n >= 1);
    x[t[tile_bid(0)] * n] = 1;
}
// EXPECT kernel undefined_to_wrap
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

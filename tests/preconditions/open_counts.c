/* The contract says how many blocks there are, and nothing of how often a loop goes round: that
 * its counter times a number stays in its type is asked for, and is no word of the contract's. */
#include <tile.h>

tile_kernel void rounds(float *restrict y, int n)
{
    tile_grid(4);
    for (int g = 0; g < n; g++)
        y[tile_bid(0) + 4 * g] = 1.0f;
}
// EXPECT kernel rounds
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch
// EXPECT asks n <= 536870912

tile_kernel void carried(float *restrict y, int n)
{
    tile_grid(4);
    tile e = tile_iota(16) + tile_bid(0) * 16;
    for (int g = 0; g < n; g++) {
        tile_store_ptr(tile_pointers(y, e), tile_zeros(float, 16));
        e = e + 64;
    }
}
// EXPECT kernel carried
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch in-bounds:launch
// EXPECT asks n <= 33554431
// EXPECT asks 'y' holds at least n * 64 elements

/* That a buffer has n elements bounds neither n nor what is counted up to it. */
tile_kernel void of_extent(float *restrict y, int n)
{
    tile_grid(4);
    tile_extent(y, n);
    for (int g = 0; g < n; g++) {
        tile e = tile_iota(16) + (tile_bid(0) * 16 + g * 64);
        tile_store_masked(tile_pointers(y, e), tile_zeros(float, 16), tile_lt(e, n));
    }
}
// EXPECT kernel of_extent
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch
// EXPECT asks n <= 33554432

tile_kernel void all_but_one(float *restrict y, int n)
{
    tile_grid(4);
    tile_extent(y, n);
    tile e = tile_iota(16) + tile_bid(0) * 16;
    tile_store_masked(tile_pointers(y, e), tile_zeros(float, 16), tile_lt(e, n - 1));
}
// EXPECT kernel all_but_one
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch
// EXPECT asks n >= -2147483647

/* Stated to be so large that it leaves its type in every launch: nothing is asked for. */
tile_kernel void stated(float *restrict y, int n)
{
    tile_grid(4);
    tile_assume(n >= 536870914 && n <= 536871000);
    for (int g = 0; g < n; g++)
        y[tile_bid(0) + 4 * g] = 1.0f; // @stated
}
// EXPECT kernel stated
// EXPECT verdict unknown

/* A loop that goes on while a number is below another one, which nobody states. */
tile_kernel void as_long_as(float *restrict y, int n, int m)
{
    tile_grid(4);
    tile_assume(1 <= n && n <= 100);
    int at = tile_bid(0) * n;
    while (at < m) {
        y[at] = 1.0f;
        at += 4 * n;
    }
}
// EXPECT kernel as_long_as
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch
// EXPECT asks n * 4 + m <= 2147483648

/* A table that nobody speaks of says how often it goes round. */
tile_kernel void looked_up(float *restrict y, const int *restrict t)
{
    tile_grid(4);
    for (int j = 0; j < t[tile_bid(0)]; j++)
        y[tile_bid(0) * 8 + j] = 1.0f; // @looked_up
}
// EXPECT kernel looked_up
// EXPECT verdict conditional
// EXPECT TR001 @looked_up @looked_up
// EXPECT observable no
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is below 9

tile_kernel void looked_up_rounds(float *restrict y, const int *restrict t)
{
    tile_grid(4);
    for (int j = 0; j < t[tile_bid(0)]; j++)
        y[tile_bid(0) + j * 4] = 1.0f;
}
// EXPECT kernel looked_up_rounds
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

/* Three apart is too near for four blocks, however far it goes. */
tile_kernel void too_near(float *restrict y, const int *restrict t)
{
    tile_grid(4);
    for (int j = 0; j < t[tile_bid(0)]; j++)
        y[tile_bid(0) + j * 3] = 1.0f; // @too_near
}
// EXPECT kernel too_near
// EXPECT verdict race
// EXPECT TR001 @too_near @too_near
// EXPECT observable no
// EXPECT requires no-wrap:launch

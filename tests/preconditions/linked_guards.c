/* Guards that are one too wide, where the guard is a break behind the store, or where a stated
 * equation links what it speaks of with the stride; and extents too large for any small launch. */
#include <tile.h>

tile_kernel void break_behind(float *restrict x, int n)
{
    tile_grid(8);
    tile_assume(n > 0 && n < 1000);
    int b = tile_bid(0);
    for (int j = 0; j < 128; j++) {
        x[b * n + j] = 1.0f; // @behind
        if (j >= n)
            break;
    }
}

tile_kernel void break_in_time(float *restrict x, int n)
{
    tile_grid(8);
    tile_assume(n > 0 && n < 1000);
    int b = tile_bid(0);
    for (int j = 0; j < 128; j++) {
        x[b * n + j] = 1.0f;
        if (j + 1 >= n)
            break;
    }
}

tile_kernel void no_break(float *restrict x, int n)
{
    tile_grid(8);
    tile_assume(n > 0 && n < 1000);
    int b = tile_bid(0);
    for (int j = 0; j < 128; j++) {
        x[b * n + j] = 1.0f; // @no_break
        if (j >= 200)
            break;
    }
}

tile_kernel void two_breaks(float *restrict x, int n)
{
    tile_grid(8);
    tile_assume(n > 0 && n < 1000);
    int b = tile_bid(0);
    for (int j = 0; j < 128; j++) {
        if (j == 120)
            break;
        x[b * n + j] = 1.0f; // @two_breaks
        if (j > n)
            break;
    }
}

tile_kernel void rows_of_batch(float *restrict x, int batch, int m)
{
    tile_assume(batch == m * 8);
    int i = tile_bid(1);
    if (i <= m)
        for (int j = 0; j < 8; j++)
            x[tile_bid(0) * batch + i * 8 + j] = 1.0f; // @rows
}

tile_kernel void rows_in_batch(float *restrict x, int batch, int m)
{
    tile_assume(batch == m * 8);
    int i = tile_bid(1);
    if (i < m)
        for (int j = 0; j < 8; j++)
            x[tile_bid(0) * batch + i * 8 + j] = 1.0f;
}

tile_kernel void rows_of_pitch(float *restrict x, int batch, int pitch, int m)
{
    tile_assume(batch == m * pitch);
    int i = tile_bid(1);
    if (i <= m)
        for (int j = 0; j < pitch; j++)
            x[tile_bid(0) * batch + i * pitch + j] = 1.0f; // @pitch
}

tile_kernel void linked_elsewhere(float *restrict x, int pitch, int m, int n)
{
    tile_assume(pitch >= m);
    tile e = tile_iota(64);
    tile_store_masked(tile_pointers(x, tile_bid(0) * pitch + e), 1.0f, tile_lt(e, n)); // @elsewhere
}

tile_kernel void fewer_values(int *restrict x, const int *restrict row, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n < 1000);
    tile_extent(x, 1000000000000);
    tile_extent(row, n);
    tile_contents(row, 0, n - 2);
    x[row[tile_bid(0)]] = 1; // @fewer
}

tile_kernel void enough_values(int *restrict x, const int *restrict row, int n)
{
    tile_grid(n);
    tile_assume(n > 1 && n < 1000);
    tile_extent(x, 1000000000000);
    tile_extent(row, n);
    tile_contents(row, 0, n - 1);
    x[row[tile_bid(0)]] = 1; // @enough
}

// EXPECT kernel break_behind
// EXPECT verdict race
// EXPECT TR001 @behind @behind
// EXPECT observable no

// EXPECT kernel break_in_time
// EXPECT verdict race-free

// EXPECT kernel no_break
// EXPECT verdict conditional
// EXPECT TR001 @no_break @no_break
// EXPECT requires stride-relation:race

// EXPECT kernel two_breaks
// EXPECT verdict race
// EXPECT TR001 @two_breaks @two_breaks
// EXPECT observable no

// EXPECT kernel rows_of_batch
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT TR001 @rows @rows
// EXPECT observable no

// EXPECT kernel rows_in_batch
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel rows_of_pitch
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT TR001 @pitch @pitch
// EXPECT observable no

// EXPECT kernel linked_elsewhere
// EXPECT verdict conditional
// EXPECT TR001 @elsewhere @elsewhere
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel fewer_values
// EXPECT verdict race
// EXPECT TR001 @fewer @fewer
// EXPECT observable no

// EXPECT kernel enough_values
// EXPECT verdict conditional
// EXPECT TR001 @enough @enough
// EXPECT requires unique-contents:race

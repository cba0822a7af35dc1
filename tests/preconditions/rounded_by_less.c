/* Lengths that are rounded up by too little, of other forms than `(n + 6) / 8`: to wide tiles, of
 * multiples of a size, and to multiples of a size. */
#include <tile.h>

enum { WIDE = 2048 };

tile_kernel void to_wide_tiles(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), row = (n + WIDE - 2) / WIDE * WIDE;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f; // @wide
}

tile_kernel void of_three_parts(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), row = (3 * n + 6) / 8 * 8;
    for (int i = 0; i < 3 * n; i++)
        x[b * row + i] = 1.0f; // @three
}

tile_kernel void of_three_whole_parts(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), row = (3 * n + 7) / 8 * 8;
    for (int i = 0; i < 3 * n; i++)
        x[b * row + i] = 1.0f;
}

tile_kernel void to_a_size(float *restrict x, int n, int m)
{
    tile_assume(n > 0 && m > 1);
    int b = tile_bid(0), row = (n + m - 2) / m * m;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f; // @size
}

tile_kernel void to_a_whole_size(float *restrict x, int n, int m)
{
    tile_assume(n > 0 && m > 1);
    int b = tile_bid(0), row = (n + m - 1) / m * m;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f;
}

/* To the next multiple of four, by two too little: two of the four remainders are left. */
tile_kernel void five_of_four(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), row = (5 * n + 1) / 4 * 4;
    for (int i = 0; i < 5 * n; i++)
        x[b * row + i] = 1.0f; // @five
}

tile_kernel void to_threes(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), row = (n + 1) / 3 * 3;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f; // @threes
}

/* What callers pass as whole tiles, however wide they are. */
tile_kernel void whole_wide_tiles(float *restrict x, int n)
{
    tile_assume(n > 0 && n < 100000);
    int b = tile_bid(0);
    for (int i = 0; i < n; i += WIDE)
        tile_store_ptr(tile_pointers(x, b * n + i + tile_iota(WIDE)), 1.0f); // @whole
}

// EXPECT kernel to_wide_tiles
// EXPECT verdict race
// EXPECT TR001 @wide @wide
// EXPECT requires no-wrap:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel of_three_parts
// EXPECT verdict race
// EXPECT TR001 @three @three
// EXPECT requires no-wrap:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel of_three_whole_parts
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch no-wrap:launch

// EXPECT kernel to_a_size
// EXPECT verdict race
// EXPECT TR001 @size @size
// EXPECT requires no-wrap:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel to_a_whole_size
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch no-wrap:launch

// EXPECT kernel five_of_four
// EXPECT verdict race
// EXPECT TR001 @five @five
// EXPECT requires no-wrap:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel to_threes
// EXPECT verdict race
// EXPECT TR001 @threes @threes
// EXPECT requires no-wrap:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel whole_wide_tiles
// EXPECT verdict conditional
// EXPECT TR001 @whole @whole
// EXPECT requires no-wrap:launch no-wrap:launch stride-relation:race

/* Rows whose length is rounded up by too little: with one remainder of the width only, the row ends
 * in the next one. To ask for the other remainders would excuse the rounding. */
#include <tile.h>

tile_kernel void by_six(float *restrict x, int n)
{
    tile_assume(n > 8);
    tile_assume(n < 1000);
    int b = tile_bid(0), row = (n + 6) & ~7;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f; // @six
}

// EXPECT kernel by_six
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT TR001 @six @six
// EXPECT observable no

tile_kernel void by_divisor(float *restrict x, int n)
{
    tile_assume(n > 64);
    tile_assume(n < 1000);
    int b = tile_bid(0), row = (n + 62) / 64 * 64;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f; // @divisor
}

// EXPECT kernel by_divisor
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT TR001 @divisor @divisor
// EXPECT observable no

tile_kernel void to_sevens(float *restrict x, int n)
{
    tile_assume(n > 7);
    tile_assume(n < 1000);
    int b = tile_bid(0), row = (n + 4) / 7 * 7;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f; // @sevens
}

// EXPECT kernel to_sevens
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT TR001 @sevens @sevens
// EXPECT observable no

/* Rounded up as it should be. */
tile_kernel void by_seven(float *restrict x, int n)
{
    tile_assume(n > 8);
    tile_assume(n < 1000);
    int b = tile_bid(0), row = (n + 7) & ~7;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f;
}

// EXPECT kernel by_seven
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

/* By more than is needed. */
tile_kernel void by_eight(float *restrict x, int n)
{
    tile_assume(n > 8);
    tile_assume(n < 1000);
    int b = tile_bid(0), row = (n + 8) & ~7;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f;
}

// EXPECT kernel by_eight
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

/* Whole rows alone, which a caller can keep: sizes are multiples. */
tile_kernel void down(float *restrict x, int n)
{
    tile_assume(n > 8);
    tile_assume(n < 1000);
    int b = tile_bid(0), row = n & ~7;
    for (int i = 0; i < n; i++)
        x[b * row + i] = 1.0f; // @down
}

// EXPECT kernel down
// EXPECT verdict conditional
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT TR001 @down @down
// EXPECT observable no

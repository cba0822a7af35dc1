/* Tables of unsigned numbers that lie beyond the signed half of their type. */
#include <tile.h>

tile_kernel void bytes_high(float *restrict x, const unsigned char *restrict t)
{
    tile_grid(8);
    tile_contents(t, 200, 250);
    tile_extent(t, 8);
    int b = tile_bid(0), v = t[b];
    x[v > 127 ? 0 : b] = 1.0f; // @bytes_high
}

tile_kernel void bytes_any(float *restrict x, const unsigned char *restrict t)
{
    tile_grid(8);
    tile_contents(t, 0, 200);
    tile_extent(t, 8);
    int b = tile_bid(0), v = t[b];
    x[v > 127 ? 0 : b] = 1.0f; // @bytes_any
}

tile_kernel void bytes_low(float *restrict x, const unsigned char *restrict t)
{
    tile_grid(8);
    tile_contents(t, 0, 127);
    tile_extent(t, 8);
    int b = tile_bid(0), v = t[b];
    x[v > 127 ? 0 : b] = 1.0f;
}

tile_kernel void shorts_high(float *restrict x, const unsigned short *restrict t)
{
    tile_grid(8);
    tile_contents(t, 40000, 60000);
    tile_extent(t, 8);
    int b = tile_bid(0), v = t[b];
    x[v > 32767 ? 0 : b] = 1.0f; // @shorts_high
}

tile_kernel void ints_high(float *restrict x, const unsigned *restrict t)
{
    tile_grid(8);
    tile_contents(t, 3000000000, 4000000000);
    tile_extent(t, 8);
    int b = tile_bid(0);
    unsigned v = t[b];
    x[v > 2147483647u ? 0 : b] = 1.0f; // @ints_high
}

tile_kernel void unique_bytes(float *restrict x, const unsigned char *restrict t)
{
    tile_grid(8);
    tile_contents(t, 200, 250);
    tile_unique(t);
    tile_extent(t, 8);
    x[t[tile_bid(0)]] = 1.0f;
}

tile_kernel void unique_halves(float *restrict x, const unsigned char *restrict t)
{
    tile_grid(8);
    tile_contents(t, 200, 250);
    tile_unique(t);
    tile_extent(t, 8);
    x[t[tile_bid(0)] / 2] = 1.0f; // @unique_halves
}

// EXPECT kernel bytes_high
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @bytes_high @bytes_high

// EXPECT kernel bytes_any
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @bytes_any @bytes_any

// EXPECT kernel bytes_low
// EXPECT verdict race-free

// EXPECT kernel shorts_high
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @shorts_high @shorts_high

// EXPECT kernel ints_high
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @ints_high @ints_high

// EXPECT kernel unique_bytes
// EXPECT verdict race-free

// EXPECT kernel unique_halves
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @unique_halves @unique_halves

/* What is asked of unsigned elements says so: "0 or more" they are anyway. */
tile_kernel void shorts_in_rows(float *restrict x, const unsigned short *restrict t)
{
    int b = tile_bid(0);
    x[b * 32768 + t[b]] = 1.0f; // @shorts_in_rows
}

tile_kernel void ints_doubled(float *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    x[t[tile_bid(0)] * 2u] = 1.0f; // @ints_doubled
}

tile_kernel void rows_of_shorts(float *restrict x, const short *restrict t)
{
    int b = tile_bid(0);
    x[(t[b] - 3) % 16 + 16 * b] = 1.0f; // @rows_of_shorts
}

// EXPECT kernel shorts_in_rows
// EXPECT verdict conditional
// EXPECT TR001 @shorts_in_rows @shorts_in_rows
// EXPECT requires contents-range:race no-wrap:launch
// EXPECT asks every element of 't' is at least 0 and below 32768
// EXPECT asks grid.x <= 65536

// EXPECT kernel ints_doubled
// EXPECT verdict conditional
// EXPECT TR001 @ints_doubled @ints_doubled
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 1073741824

// EXPECT kernel rows_of_shorts
// EXPECT verdict conditional
// EXPECT TR001 @rows_of_shorts @rows_of_shorts
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 3 and below 32768

/* Offsets that are the prefix sum of unsigned lengths: bytes above 127 are lengths, not negative
 * numbers. */
#include <tile.h>

tile_kernel void stated_bytes(float *restrict y, const int *restrict off,
                              const unsigned char *restrict len)
{
    tile_grid(8);
    tile_contents(len, 0, 255);
    tile_prefix_sum(off, len);
    tile_extent(len, 8);
    tile_extent(off, 9);
    int i = tile_bid(0);
    for (int j = 0; j < len[i]; j++)
        y[off[i] + j] = 1.0f;
}

tile_kernel void bytes(float *restrict y, const int *restrict off,
                       const unsigned char *restrict len, int n)
{
    tile_prefix_sum(off, len);
    tile_extent(len, n);
    tile_extent(off, n + 1);
    int i = tile_bid(0);
    if (i < n)
        for (int j = 0; j < len[i]; j++)
            y[off[i] + j] = 1.0f;
}

tile_kernel void halves(float *restrict y, const int *restrict off,
                        const unsigned short *restrict len)
{
    tile_prefix_sum(off, len);
    int i = tile_bid(0);
    for (int j = off[i]; j < off[i] + len[i]; j++)
        y[j] = 1.0f;
}

tile_kernel void few_bytes(float *restrict y, const int *restrict off,
                           const unsigned char *restrict len)
{
    tile_grid(8);
    tile_contents(len, 0, 200);
    tile_prefix_sum(off, len);
    tile_extent(len, 8);
    tile_extent(off, 9);
    int i = tile_bid(0);
    for (int j = 0; j < len[i]; j++)
        y[off[i] + j] = 1.0f;
}

tile_kernel void one_too_many(float *restrict y, const int *restrict off,
                              const unsigned char *restrict len)
{
    tile_grid(8);
    tile_prefix_sum(off, len);
    tile_extent(len, 8);
    tile_extent(off, 9);
    int i = tile_bid(0);
    for (int j = 0; j <= len[i]; j++)
        y[off[i] + j] = 1.0f; // @one_too_many
}

tile_kernel void sums_of_signed(float *restrict y, const int *restrict off,
                                const signed char *restrict len)
{
    tile_grid(8);
    tile_contents(len, -128, 127);
    tile_prefix_sum(off, len);
    tile_extent(len, 8);
    tile_extent(off, 9);
    int i = tile_bid(0);
    for (int j = 0; j < (unsigned char)len[i]; j++)
        y[1024 + off[i] + j] = 1.0f; // @sums_of_signed
}

tile_kernel void neighbour_length(float *restrict y, const int *restrict off,
                                  const unsigned char *restrict len)
{
    tile_grid(8);
    tile_prefix_sum(off, len);
    tile_extent(len, 8);
    tile_extent(off, 9);
    int i = tile_bid(0);
    for (int j = 0; j < len[7 - i]; j++)
        y[off[i] + j] = 1.0f; // @neighbour_length
}

// EXPECT kernel stated_bytes
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel bytes
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel halves
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel few_bytes
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel one_too_many
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT observable no
// EXPECT TR001 @one_too_many @one_too_many

// EXPECT kernel sums_of_signed
// EXPECT verdict race
// EXPECT requires contents-range:launch no-wrap:launch
// EXPECT observable no
// EXPECT TR001 @sums_of_signed @sums_of_signed

// EXPECT kernel neighbour_length
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT observable no
// EXPECT TR001 @neighbour_length @neighbour_length

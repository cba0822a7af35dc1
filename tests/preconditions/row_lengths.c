/* Rows at a pitch, each filled up to a length that is looked up, or that is a parameter. */
#include <tile.h>

tile_kernel void by_loop(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0), n = length[b];
    for (int i = 0; i < n; i++)
        x[b * 64 + i] = 1.0f; // @loop
}

tile_kernel void by_lanes(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0);
    tile e = tile_iota(128);
    tile_store_masked(tile_pointers(x, b * 64 + e), 1.0f, tile_lt(e, length[b])); // @lanes
}

tile_kernel void of_bytes(float *restrict x, const unsigned char *restrict length)
{
    int b = tile_bid(0);
    for (int i = 0; i < length[b]; i++)
        x[b * 64 + i] = 1.0f; // @bytes
}

tile_kernel void behind_header(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0), n = length[b];
    for (int i = 0; i <= n; i++)
        x[b * 64 + 7 + i] = 1.0f; // @header
}

tile_kernel void by_steps(float *restrict y, int s, int m)
{
    tile_assume(s >= 1);
    int b = tile_bid(0);
    for (int i = 0; i < m; i += s)
        y[b * 1000 + i] = 1.0f; // @steps
}

tile_kernel void stated(float *restrict x, const int *restrict length)
{
    tile_contents(length, 0, 64);
    int b = tile_bid(0), n = length[b];
    for (int i = 0; i < n; i++)
        x[b * 64 + i] = 1.0f;
}

/* That a row is no longer than the contract says may be true, and not be enough. */
tile_kernel void stated_longer(float *restrict x, const int *restrict length)
{
    tile_contents(length, 0, 100);
    int b = tile_bid(0), n = length[b];
    for (int i = 0; i < n; i++)
        x[b * 64 + i] = 1.0f; // @longer
}

tile_kernel void stated_one_more(float *restrict x, const int *restrict length)
{
    tile_contents(length, 0, 64);
    int b = tile_bid(0), n = length[b];
    for (int i = 0; i <= n; i++)
        x[b * 64 + i] = 1.0f; // @more
}

/* Rows without a pitch: no length but one of a single element keeps them apart. */
tile_kernel void no_pitch(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0), n = length[b];
    for (int i = 0; i < n; i++)
        x[b + i] = 1.0f; // @plain
}

// EXPECT kernel by_loop
// EXPECT verdict conditional
// EXPECT TR001 @loop @loop
// EXPECT requires contents-range:race

// EXPECT kernel by_lanes
// EXPECT verdict conditional
// EXPECT TR001 @lanes @lanes
// EXPECT requires contents-range:race

// EXPECT kernel of_bytes
// EXPECT verdict conditional
// EXPECT TR001 @bytes @bytes
// EXPECT requires contents-range:race

// EXPECT kernel behind_header
// EXPECT verdict conditional
// EXPECT TR001 @header @header
// EXPECT requires contents-range:race

// EXPECT kernel by_steps
// EXPECT verdict conditional
// EXPECT TR001 @steps @steps
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel stated
// EXPECT verdict race-free

// EXPECT kernel stated_longer
// EXPECT verdict conditional
// EXPECT TR001 @longer @longer
// EXPECT requires contents-range:race

// EXPECT kernel stated_one_more
// EXPECT verdict conditional
// EXPECT TR001 @more @more
// EXPECT requires contents-range:race

// EXPECT kernel no_pitch
// EXPECT verdict race
// EXPECT TR001 @plain @plain
// EXPECT requires no-wrap:launch
// EXPECT observable no

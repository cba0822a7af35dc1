/* Rows that are filled from the end, by steps, or by a pitch that is a difference or goes down:
 * what keeps them apart is asked for as of rows that go up. */
#include <tile.h>

tile_kernel void from_the_end(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0);
    for (int i = 0; i < length[b]; i++)
        x[b * 64 + 63 - i] = 1.0f; // @end
}

tile_kernel void from_the_end_to_size(float *restrict x, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        x[b * 128 + 127 - i] = 1.0f; // @size
}

tile_kernel void two_for_each(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0);
    for (int i = 0; i < 2 * length[b]; i++)
        x[b * 64 + i] = 1.0f; // @two
}

/* The next row's places lie between this one's: only the row behind it is met. */
tile_kernel void odd_pitch(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0);
    for (int i = 0; i < length[b]; i++)
        x[b * 63 + 2 * i] = 1.0f; // @odd
}

tile_kernel void pitch_of_a_difference(float *restrict x, int s)
{
    int b = tile_bid(0);
    for (int i = 0; i < 16; i++)
        x[b * (s - 3) + i] = 1.0f; // @difference
}

tile_kernel void two_pitches(float *restrict x, float *restrict y, int s)
{
    int b = tile_bid(0);
    for (int i = 0; i < 16; i++) {
        x[b * s + i] = 1.0f;
        y[b * (s - 3) + i] = 1.0f; // @both
    }
}

tile_kernel void stride_down(float *restrict x, int s)
{
    tile_assume(s <= 0 && s >= -100);
    x[100000 + tile_bid(0) * s] = 1.0f; // @down
}

tile_kernel void pitch_down(float *restrict x, int p)
{
    tile_assume(p < 0 && p > -1000);
    tile_grid(8, 8);
    x[100000 + tile_bid(1) * p + tile_bid(0)] = 1.0f; // @pitch
}

tile_kernel void rows_taken_off(float *restrict x, int p)
{
    int b = tile_bid(0);
    for (int i = 0; i < 16; i++)
        x[100000 - b * p + i] = 1.0f; // @off
}

tile_kernel void steps_down(float *restrict x, int s, int m)
{
    tile_assume(s >= 1);
    for (int i = m - tile_bid(0); i > 0; i -= s)
        x[i] = 1.0f; // @steps
}

/* One place too many for any length. */
tile_kernel void end_without_pitch(float *restrict x, int n)
{
    int b = tile_bid(0);
    for (int i = 0; i <= n; i++)
        x[b + n - i] = 1.0f; // @ends
}

tile_kernel void pitch_is_zero(float *restrict x, int s)
{
    tile_assume(s <= 3);
    tile_assume(s >= 3);
    int b = tile_bid(0);
    for (int i = 0; i < 16; i++)
        x[b * (s - 3) + i] = 1.0f; // @zero
}

tile_kernel void pitch_down_too_near(float *restrict x, int p)
{
    tile_assume(p < 0 && p >= -7);
    tile_grid(8, 8);
    x[100000 + tile_bid(1) * p + tile_bid(0)] = 1.0f; // @near
}

// EXPECT kernel from_the_end
// EXPECT verdict conditional
// EXPECT TR001 @end @end
// EXPECT requires contents-range:race

// EXPECT kernel from_the_end_to_size
// EXPECT verdict conditional
// EXPECT TR001 @size @size
// EXPECT requires stride-relation:race

// EXPECT kernel two_for_each
// EXPECT verdict conditional
// EXPECT TR001 @two @two
// EXPECT requires contents-range:race

// EXPECT kernel odd_pitch
// EXPECT verdict conditional
// EXPECT TR001 @odd @odd
// EXPECT requires contents-range:race

// EXPECT kernel pitch_of_a_difference
// EXPECT verdict conditional
// EXPECT TR001 @difference @difference
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel two_pitches
// EXPECT verdict conditional
// EXPECT TR001 @both @both
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel stride_down
// EXPECT verdict conditional
// EXPECT TR001 @down @down
// EXPECT requires stride-relation:race

// EXPECT kernel pitch_down
// EXPECT verdict conditional
// EXPECT TR001 @pitch @pitch
// EXPECT requires stride-relation:race

// EXPECT kernel rows_taken_off
// EXPECT verdict conditional
// EXPECT TR001 @off @off
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel steps_down
// EXPECT verdict conditional
// EXPECT TR001 @steps @steps
// EXPECT requires no-wrap:launch grid-bound:race

// EXPECT kernel end_without_pitch
// EXPECT verdict race
// EXPECT TR001 @ends @ends
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel pitch_is_zero
// EXPECT verdict race
// EXPECT TR001 @zero @zero
// EXPECT observable no

// EXPECT kernel pitch_down_too_near
// EXPECT verdict race
// EXPECT TR001 @near @near
// EXPECT observable no

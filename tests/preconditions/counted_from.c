/* Loops that count between two numbers which are computed: no iteration is beyond either of them,
 * whatever the range of their type. What a launch is asked for speaks of the numbers themselves. */
#include <tile.h>

tile_kernel void inside_margins(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    for (int i = h; i < s - h; i++)
        y[b * s + i] = 1.0f; // @inside
}

tile_kernel void reads_margins(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    for (int i = h; i < s - h; i++)
        y[b * s + i] = y[b * s + i - h] + y[b * s + i + h]; // @margins
}

tile_kernel void window(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    float sum = 0.0f;
    for (int j = -h; j <= h; j++)
        sum += y[b * s + j]; // @window_load
    y[b * s] = sum;          // @window
}

tile_kernel void window_of_each(float *restrict y, int s, int w, int h)
{
    int b = tile_bid(0);
    for (int i = 0; i < w; i++) {
        float sum = 0.0f;
        for (int j = -h; j <= h; j++)
            sum += y[b * s + i + j]; // @each_load
        y[b * s + i] = sum;          // @each
    }
}

/* Each row is one longer than the stride. */
tile_kernel void one_more(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    for (int i = -h; i < s - h + 1; i++)
        y[b * s + i] = 1.0f; // @more
}

/* Rows of s places are s - 1 apart. */
tile_kernel void stride_too_small(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    for (int i = h; i < s + h; i++)
        y[b * (s - 1) + i] = 1.0f; // @small
}

/* The block id is not in the index. */
tile_kernel void same_row(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    for (int i = -h; i < s - h; i++)
        y[s + i] = (float)b; // @same
}

/* All of the next row is read. */
tile_kernel void next_row(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    for (int i = -h; i < s - h; i++)
        y[b * s + i] = y[b * s + s + i]; // @next
}

// EXPECT kernel inside_margins
// EXPECT verdict conditional
// EXPECT TR001 @inside @inside
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT asks h <= s + 2147483648
// EXPECT asks s * grid.x <= h + 2147483648
// EXPECT asks h >= 0

// EXPECT kernel reads_margins
// EXPECT verdict conditional
// EXPECT TR001 @margins @margins
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT asks h <= s + 2147483648
// EXPECT asks s * grid.x <= 2147483648
// EXPECT asks h >= 0

// EXPECT kernel window
// EXPECT verdict conditional
// EXPECT TR001 @window @window
// EXPECT TR002 @window_load @window
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel window_of_each
// EXPECT verdict conditional
// EXPECT TR001 @each @each
// EXPECT TR002 @each_load @each
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT asks h >= -2147483647
// EXPECT asks w + s * grid.x <= s + 2147483648
// EXPECT asks h + w + s * grid.x <= s + 2147483648
// EXPECT asks w <= s
// EXPECT asks h + w <= s

// EXPECT kernel one_more
// EXPECT verdict race
// EXPECT TR001 @more @more
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel stride_too_small
// EXPECT verdict race
// EXPECT TR001 @small @small
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel same_row
// EXPECT verdict race
// EXPECT TR001 @same @same
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel next_row
// EXPECT verdict race
// EXPECT TR002 @next @next
// EXPECT requires no-wrap:launch
// EXPECT observable yes

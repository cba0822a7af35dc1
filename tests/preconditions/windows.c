/* Rows of a stride, of which a window around or behind a place is read or written: the stride is
 * asked to hold what two of them have in common, and no more. */
#include <tile.h>

/* What is read around a place meets other blocks' places only where it reaches them. */
tile_kernel void read_around(float *restrict y, int s, int h)
{
    tile_grid(64);
    tile_assume(-1000 < s && s < 1000 && -1000 < h && h < 1000);
    int b = tile_bid(0);
    float v = 0.0f;
    for (int i = -h; i <= h; i++)
        v += y[b * s + i]; // @around
    y[b * s] = v;          // @centre
}
// EXPECT kernel read_around
// EXPECT verdict conditional
// EXPECT TR001 @centre @centre
// EXPECT TR002 @around @centre
// EXPECT requires stride-relation:race
// EXPECT asks s > 0
// EXPECT asks h < s

tile_kernel void read_around_the_middle(float *restrict y, int s, int h)
{
    tile_grid(64);
    tile_assume(0 < s && s < 1000 && -1000 < h && h < 1000);
    int b = tile_bid(0);
    float v = 0.0f;
    for (int i = 0; i <= 2 * h; i++)
        v += y[b * s + i]; // @from_start
    y[b * s + h] = v;      // @middle
}
// EXPECT kernel read_around_the_middle
// EXPECT verdict conditional
// EXPECT TR002 @from_start @middle
// EXPECT requires stride-relation:race
// EXPECT asks h < s

tile_kernel void write_around(float *restrict y, int s, int h)
{
    tile_grid(64);
    tile_assume(-1000 < s && s < 1000 && -1000 < h && h < 1000);
    int b = tile_bid(0);
    for (int i = -h; i <= h; i++)
        y[b * s + i] = 1.0f; // @written
}
// EXPECT kernel write_around
// EXPECT verdict conditional
// EXPECT TR001 @written @written
// EXPECT requires stride-relation:race
// EXPECT asks h * 2 < s

/* Of 2 * h places the second half alone. */
tile_kernel void left_half_masked(float *restrict y, int s, int h)
{
    tile_grid(64);
    tile_assume(-1000 < s && s < 1000 && -1000 < h && h < 1000);
    int b = tile_bid(0);
    for (int i = 0; i < 2 * h; i++)
        if (i >= h)
            y[b * s + i] = 1.0f; // @half
}
// EXPECT kernel left_half_masked
// EXPECT verdict conditional
// EXPECT TR001 @half @half
// EXPECT requires stride-relation:race
// EXPECT asks h <= s

tile_kernel void third_masked(float *restrict y, int s, int h)
{
    tile_grid(64);
    tile_assume(-1000 < s && s < 1000 && -1000 < h && h < 1000);
    int b = tile_bid(0);
    for (int i = 0; i < 3 * h; i++)
        if (i >= 2 * h)
            y[b * s + i] = 1.0f; // @third
}
// EXPECT kernel third_masked
// EXPECT verdict conditional
// EXPECT TR001 @third @third
// EXPECT requires stride-relation:race
// EXPECT asks h <= s

/* Before the first row unsigned numbers wrap, which is far from all others. */
tile_kernel void unsigned_around(float *restrict y, unsigned s, unsigned h)
{
    tile_grid(64);
    tile_assume(s < 1000 && h < 1000);
    int b = tile_bid(0);
    for (unsigned i = 0; i <= 2 * h; i++)
        y[b * s + i - h] = 1.0f; // @unsigned
}
// EXPECT kernel unsigned_around
// EXPECT verdict conditional
// EXPECT TR001 @unsigned @unsigned
// EXPECT requires stride-relation:race
// EXPECT asks h * 2 < s

tile_kernel void both_sides(float *restrict y, unsigned s)
{
    tile_grid(64);
    tile_assume(s > 0 && s < 1000);
    int b = tile_bid(0);
    y[b * s - 1] = 1.0f; // @before
    y[b * s + 1] = 2.0f; // @behind
}
// EXPECT kernel both_sides
// EXPECT verdict conditional
// EXPECT TR001 @before @behind
// EXPECT requires stride-relation:race
// EXPECT asks s >= 3

tile_kernel void both_sides_signed(float *restrict y, int s)
{
    tile_grid(64);
    tile_assume(s > 0 && s < 1000);
    int b = tile_bid(0);
    y[b * s - 1] = 1.0f; // @signed_before
    y[b * s + 1] = 2.0f; // @signed_behind
}
// EXPECT kernel both_sides_signed
// EXPECT verdict conditional
// EXPECT TR001 @signed_before @signed_behind
// EXPECT requires stride-relation:race
// EXPECT asks s >= 3

tile_kernel void around_as_stated(float *restrict y, int s, int h)
{
    tile_grid(64);
    tile_assume(0 < s && h < s && s < 1000 && h > -1000);
    int b = tile_bid(0);
    float v = 0.0f;
    for (int i = -h; i <= h; i++)
        v += y[b * s + i];
    y[b * s] = v;
}
// EXPECT kernel around_as_stated
// EXPECT verdict race-free

/* The rows' own length reaches the next ones whatever it is. */
tile_kernel void around_full_rows(float *restrict y, int s)
{
    tile_grid(64);
    tile_assume(0 < s && s < 1000);
    int b = tile_bid(0);
    float v = 0.0f;
    for (int i = -s; i <= s; i++)
        v += y[b * s + i]; // @full
    y[b * s] = v;          // @own
}
// EXPECT kernel around_full_rows
// EXPECT verdict race
// EXPECT TR002 @full @own
// EXPECT observable yes

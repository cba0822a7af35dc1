/* Rows that are written in place, each from what lies `h` places before and behind it: whichever
 * sign `h` has, the stride holds a row and what lies on either side of it. */
#include <tile.h>

tile_kernel void both_sides(float *restrict y, int s, int w, int h)
{
    int b = tile_bid(0);
    for (int i = 0; i < w; i++)
        y[b * s + i] = y[b * s + i - h] + y[b * s + i + h]; // @both
}

tile_kernel void around_core(float *restrict y, int s, int w, int h)
{
    int b = tile_bid(0);
    for (int i = 0; i < w; i++)
        y[b * s + h + i] = y[b * s + i] + y[b * s + 2 * h + i]; // @core
}

tile_kernel void of_middle(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    float v = y[b * s + s / 2 - h] + y[b * s + s / 2 + h]; // @middle_load
    y[b * s + s / 2] = v;                                  // @middle
}

tile_kernel void up_to_end(float *restrict y, int s, int h, int n)
{
    int b = tile_bid(0);
    for (int i = h; i < n; i++)
        y[b * s + i] = y[b * s + i - h] + y[b * s + i + h]; // @end
}

tile_kernel void by_lanes(float *restrict y, int s, int h)
{
    tile_extent(y, 100000);
    int b = tile_bid(0);
    tile i = tile_iota(16);
    tile v = tile_load_ptr(tile_pointers(y, b * s + h + i)); // @lanes_load
    tile_store_ptr(tile_pointers(y, b * s + i), v);          // @lanes
}

/* The rows fill the stride. */
tile_kernel void full_rows(float *restrict y, int s, int h)
{
    int b = tile_bid(0);
    for (int i = 0; i < s; i++)
        y[b * s + i] = y[b * s + i + h]; // @full
}

tile_kernel void full_lanes(float *restrict y, int h)
{
    int b = tile_bid(0);
    tile i = tile_iota(16);
    tile v = tile_load_ptr(tile_pointers(y, b * 16 + h + i)); // @full_load
    tile_store_ptr(tile_pointers(y, b * 16 + i), v);          // @full_store
}

/* What is read is the next row. */
tile_kernel void next_start(float *restrict y, int s, int w)
{
    int b = tile_bid(0);
    for (int i = 0; i < w; i++)
        y[b * s + i] = y[b * s + s + i]; // @next
}

// EXPECT kernel both_sides
// EXPECT verdict conditional
// EXPECT TR002 @both @both
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT asks w + s * grid.x <= s + h + 2147483648
// EXPECT asks w + h + s * grid.x <= s + 2147483648
// EXPECT asks w <= s + h && w + h <= s

// EXPECT kernel around_core
// EXPECT verdict conditional
// EXPECT TR002 @core @core
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT asks w + s * grid.x <= s + 2147483648
// EXPECT asks h >= -1073741824
// EXPECT asks w + h * 2 + s * grid.x <= s + 2147483648
// EXPECT asks w <= s + h && w + h <= s

// EXPECT kernel of_middle
// EXPECT verdict conditional
// EXPECT TR002 @middle_load @middle
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT asks s * grid.x + s / 2 <= s + h + 2147483647
// EXPECT asks h + s * grid.x + s / 2 <= s + 2147483647
// EXPECT asks s + h > 0 && h < s

// EXPECT kernel up_to_end
// EXPECT verdict conditional
// EXPECT TR002 @end @end
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT asks n + s * grid.x <= s + h + 2147483648
// EXPECT asks h + n + s * grid.x <= s + 2147483648
// EXPECT asks h >= -1073741824
// EXPECT asks n <= s + h * 2 && n <= s

// EXPECT kernel by_lanes
// EXPECT verdict conditional
// EXPECT TR002 @lanes_load @lanes
// EXPECT requires in-bounds:launch stride-relation:race
// EXPECT asks h + s * grid.x <= s + 99984
// EXPECT asks h >= 0
// EXPECT asks h + 16 <= s

// EXPECT kernel full_lanes
// EXPECT verdict conditional
// EXPECT TR002 @full_load @full_store
// EXPECT requires grid-bound:race in-bounds:launch no-wrap:launch

// EXPECT kernel full_rows
// EXPECT verdict race
// EXPECT TR002 @full @full
// EXPECT requires no-wrap:launch
// EXPECT observable yes

// EXPECT kernel next_start
// EXPECT verdict race
// EXPECT TR002 @next @next
// EXPECT requires no-wrap:launch stride-relation:race
// EXPECT observable yes

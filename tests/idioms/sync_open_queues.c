/* Tiles handed out by a counter, with nothing stated of the launch: how many tiles there are is
 * bounded by what the kernel does with their number, and stated only where that is not below 2^31,
 * so that a counter would wrap. */
#include <tile.h>

enum { TILE = 256 };

#define DRAW(by) tile_to_int(tile_atomic_add(tile_pointers(next, 0), by, TILE_RELAXED, TILE_DEVICE))

tile_kernel void one_at_a_time(const float *x, float *y, int *next, int tiles)
{
    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);
    for (;;) {
        int t = DRAW(1);
        if (t >= tiles)
            break;
        tile_store(out, tile_load(in, t), t);
    }
}
// EXPECT kernel one_at_a_time
// EXPECT verdict race-free
// EXPECT requires contents-range:launch no-wrap:launch

tile_kernel void four_at_a_time(const float *x, float *y, int *next, int tiles)
{
    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);
    for (;;) {
        int t = DRAW(4);
        if (t >= tiles)
            break;
        for (int i = t; i < tile_min(t + 4, tiles); i++)
            tile_store(out, tile_load(in, i), i);
    }
}
// EXPECT kernel four_at_a_time
// EXPECT verdict race-free
// EXPECT requires contents-range:launch no-wrap:launch

tile_kernel void two_axes(const float *x, float *y, int *next, int rows, int cols)
{
    tile_assume(0 < rows && rows <= 1 << 12 && 0 < cols && cols <= 1 << 12);
    tile_view in = tile_partition(tile_tensor(x, rows, cols * TILE), 1, TILE);
    tile_view out = tile_partition(tile_tensor(y, rows, cols * TILE), 1, TILE);
    for (;;) {
        int t = DRAW(1);
        if (t >= rows * cols)
            break;
        tile_store(out, tile_load(in, t / cols, t % cols), t / cols, t % cols);
    }
}
// EXPECT kernel two_axes
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void drawn_once(float *y, int *next)
{
    y[DRAW(1)] = 1.0f;
}
// EXPECT kernel drawn_once
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void elements(const float *x, float *y, int *next, int n)
{
    tile_assume(n <= 1 << 30);
    for (;;) {
        int t = DRAW(1);
        if (t >= n)
            break;
        y[t] = x[t];
    }
}
// EXPECT kernel elements
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void drawn_without_atomics(const float *x, float *y, int *next, int tiles)
{
    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);
    for (;;) {
        int t = next[0]; // @look
        next[0] = t + 1; // @plain
        if (t >= tiles)
            break;
        tile_store(out, tile_load(in, t), t); // @put
    }
}
// EXPECT kernel drawn_without_atomics
// EXPECT verdict conditional
// EXPECT TR002 @look @plain
// EXPECT TR001 @plain @plain
// EXPECT TR001 @put @put
// EXPECT requires grid-axis:race index-in-space:launch no-wrap:launch

tile_kernel void four_of_two(const float *x, float *y, int *next, int tiles)
{
    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);
    for (;;) {
        int t = DRAW(2);
        if (t >= tiles)
            break;
        for (int i = t; i < tile_min(t + 4, tiles); i++)
            tile_store(out, tile_load(in, i), i); // @four
    }
}
// EXPECT kernel four_of_two
// EXPECT verdict race
// EXPECT requires contents-range:standing no-wrap:launch
// EXPECT TR001 @four @four
// EXPECT observable yes

tile_kernel void half(const float *x, float *y, int *next, int tiles)
{
    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);
    for (;;) {
        int t = DRAW(1);
        if (t >= tiles)
            break;
        tile_store(out, tile_load(in, t), t / 2); // @half
    }
}
// EXPECT kernel half
// EXPECT verdict race
// EXPECT requires contents-range:standing no-wrap:launch
// EXPECT TR001 @half @half
// EXPECT observable yes

tile_kernel void a_counter_each(const float *x, float *y, int *next, int tiles)
{
    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);
    for (;;) {
        int t = tile_to_int(
            tile_atomic_add(tile_pointers(next, tile_bid(0)), 1, TILE_RELAXED, TILE_DEVICE));
        if (t >= tiles)
            break;
        tile_store(out, tile_load(in, t), t); // @each
    }
}
// EXPECT kernel a_counter_each
// EXPECT verdict race
// EXPECT requires contents-range:standing no-wrap:launch
// EXPECT TR001 @each @each
// EXPECT observable yes

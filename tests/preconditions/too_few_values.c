/* A contract that says that elements differ, and a range that is asked of them: where it has fewer
 * values than elements that have to differ, no launch meets both, and the race stays. */
#include <tile.h>

/* Four blocks, two values. */
tile_kernel void four_blocks(float *restrict x, const int *restrict t)
{
    tile_grid(4);
    tile_unique(t);
    int b = tile_bid(0);
    x[t[b] + 2 * b] = 1.0f; // @four_blocks
}
// EXPECT kernel four_blocks
// EXPECT verdict race
// EXPECT TR001 @four_blocks @four_blocks
// EXPECT requires contents-range:launch
// EXPECT observable no

tile_kernel void two_blocks(float *restrict x, const int *restrict t)
{
    tile_grid(2);
    tile_unique(t);
    int b = tile_bid(0);
    x[t[b] + 2 * b] = 1.0f; // @two_blocks
}
// EXPECT kernel two_blocks
// EXPECT verdict conditional
// EXPECT TR001 @two_blocks @two_blocks
// EXPECT requires contents-range:race

tile_kernel void wider_rows(float *restrict x, const int *restrict t)
{
    tile_grid(4);
    tile_unique(t);
    int b = tile_bid(0);
    x[t[b] + 4 * b] = 1.0f; // @wider_rows
}
// EXPECT kernel wider_rows
// EXPECT verdict conditional
// EXPECT TR001 @wider_rows @wider_rows
// EXPECT requires contents-range:race

/* Any launch fills eight elements, however few it reads. */
tile_kernel void eight_elements(float *restrict x, const int *restrict t)
{
    tile_unique(t);
    tile_extent(t, 8);
    int b = tile_bid(0);
    x[t[b] + 2 * b] = 1.0f; // @eight_elements
}
// EXPECT kernel eight_elements
// EXPECT verdict race
// EXPECT TR001 @eight_elements @eight_elements
// EXPECT requires in-bounds:launch contents-range:launch
// EXPECT observable no

/* A grid of two axes has four blocks at least. */
tile_kernel void two_axes(float *restrict x, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0) + tile_bid(1) * tile_grid_extent(0);
    x[t[b] + 2 * b] = 1.0f; // @two_axes
}
// EXPECT kernel two_axes
// EXPECT verdict race
// EXPECT TR001 @two_axes @two_axes
// EXPECT requires no-wrap:launch contents-range:launch
// EXPECT observable no

tile_kernel void those_that_are_used(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_unique_when(t, tile_value() >= 0);
    int b = tile_bid(0);
    x[t[b] + 2 * b] = 1.0f; // @those_that_are_used
}
// EXPECT kernel those_that_are_used
// EXPECT verdict race
// EXPECT TR001 @those_that_are_used @those_that_are_used
// EXPECT requires contents-range:launch
// EXPECT observable no

/* Zeros may be as many as there are. */
tile_kernel void zeros_are_left_out(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_unique_when(t, tile_value() >= 1);
    int b = tile_bid(0);
    x[t[b] + 2 * b] = 1.0f; // @zeros
}
// EXPECT kernel zeros_are_left_out
// EXPECT verdict conditional
// EXPECT TR001 @zeros @zeros
// EXPECT requires contents-range:race

/* No launch is defined: a proof about none is no proof. */
tile_kernel void asserted(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_unique(t);
    int v = t[tile_bid(0)];
    tile_assert(v < 4 && v >= 0);
    x[v] = 1.0f;
}
// EXPECT kernel asserted
// EXPECT verdict unknown
// EXPECT requires contents-range:launch
// EXPECT reason contract-silent

tile_kernel void asserted_enough(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_unique(t);
    int v = t[tile_bid(0)];
    tile_assert(v < 8 && v >= 0);
    x[v] = 1.0f;
}
// EXPECT kernel asserted_enough
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

/* More blocks than a small launch has. */
tile_kernel void many_blocks(float *restrict x, const int *restrict t)
{
    tile_grid(1500);
    tile_unique(t);
    int b = tile_bid(0);
    x[t[b] + 2 * b] = 1.0f; // @many_blocks
}
// EXPECT kernel many_blocks
// EXPECT verdict race
// EXPECT TR001 @many_blocks @many_blocks
// EXPECT requires contents-range:launch
// EXPECT observable no

tile_kernel void many_values(float *restrict x, const int *restrict t)
{
    tile_grid(1500);
    tile_unique(t);
    int b = tile_bid(0);
    x[t[b] + 1500 * b] = 1.0f; // @many_values
}
// EXPECT kernel many_values
// EXPECT verdict conditional
// EXPECT TR001 @many_values @many_values
// EXPECT requires contents-range:race

tile_kernel void many_asserted(float *restrict x, const int *restrict t)
{
    tile_grid(1500);
    int v = t[tile_bid(0)];
    tile_assert(v < 1000 && v >= 0);
    x[v] = 1.0f; // @many_asserted
}
// EXPECT kernel many_asserted
// EXPECT verdict race
// EXPECT TR001 @many_asserted @many_asserted
// EXPECT requires contents-range:launch
// EXPECT observable no

/* One place alone lies in the buffer. */
tile_kernel void one_place(float *restrict x, const int *restrict t)
{
    tile_extent(x, 1);
    x[t[tile_bid(0)]] = 1.0f; // @one_place
}
// EXPECT kernel one_place
// EXPECT verdict race
// EXPECT TR001 @one_place @one_place
// EXPECT requires contents-range:launch
// EXPECT observable no

tile_kernel void one_row(float *restrict x, const int *restrict t)
{
    tile_extent(x, 3);
    x[t[tile_bid(0)] * 4] = 1.0f; // @one_row
}
// EXPECT kernel one_row
// EXPECT verdict race
// EXPECT TR001 @one_row @one_row
// EXPECT requires contents-range:launch
// EXPECT observable no

tile_kernel void two_rows(float *restrict x, const int *restrict t)
{
    tile_extent(x, 5);
    x[t[tile_bid(0)] * 4] = 1.0f; // @two_rows
}
// EXPECT kernel two_rows
// EXPECT verdict conditional
// EXPECT TR001 @two_rows @two_rows
// EXPECT requires contents-range:launch unique-contents:race

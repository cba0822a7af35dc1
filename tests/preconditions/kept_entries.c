/* Entries of a table that a guard leaves out may be equal. */
#include <tile.h>

tile_kernel void dropped(float *restrict x, const int *restrict slot)
{
    tile_grid(16);
    tile_contents(slot, -1, 6);
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f; // @dropped
}

tile_kernel void capacity(float *restrict x, const int *restrict slot)
{
    tile_grid(16);
    tile_contents(slot, 0, 8);
    int r = slot[tile_bid(0)];
    if (r < 8)
        x[r] = 1.0f; // @capacity
}

tile_kernel void two_guards(float *restrict x, float *restrict y, const int *restrict t,
                            const int *restrict s)
{
    int b = tile_bid(0);
    if (t[b] >= 0)
        x[t[b]] = 1.0f; // @t
    if (s[b] < 100)
        y[s[b]] = 1.0f; // @s
}

tile_kernel void tokens(float *restrict x, const int *restrict slot, int T, int C)
{
    tile_grid(T);
    tile_assume(C >= 1 && T >= 1);
    tile_contents(slot, -1, C - 1);
    tile_extent(slot, T);
    tile_extent(x, C);
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f; // @tokens
}

tile_kernel void promised(float *restrict x, const int *restrict slot)
{
    tile_grid(16);
    tile_contents(slot, -1, 6);
    tile_unique_when(slot, tile_value() >= 0);
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f;
}

/* Nothing is left out: seven values for sixteen blocks. */
tile_kernel void all_kept(float *restrict x, const int *restrict slot)
{
    tile_grid(16);
    tile_contents(slot, 0, 6);
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f; // @all
}

/* One value is left: at most one block could store. */
tile_kernel void one_value(float *restrict x, const int *restrict slot)
{
    tile_grid(16);
    tile_contents(slot, -1, 0);
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f; // @one
}

tile_kernel void halved(float *restrict x, const int *restrict slot)
{
    int r = slot[tile_bid(0)];
    if (r >= 0)
        x[r / 2] = 1.0f; // @halved
}

/* The guard drops what is not below 0, and the entry of dropped ones is written all the same. */
tile_kernel void dropped_to_zero(float *restrict x, const int *restrict slot)
{
    tile_grid(16);
    tile_contents(slot, -1, 6);
    int r = slot[tile_bid(0)];
    x[tile_max(r, -1) + 1] = 1.0f; // @zero
}

/* Values that hang on the index: four for eight blocks, and eight. */
tile_kernel void half_of_index(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_contents(t, 0, tile_index() / 2);
    x[t[tile_bid(0)]] = 1.0f; // @half
}

tile_kernel void seven_down(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_contents(t, 0, tile_max(6 - tile_index(), 0));
    x[t[tile_bid(0)]] = 1.0f; // @down
}

tile_kernel void up_to_index(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_contents(t, 0, tile_index());
    x[t[tile_bid(0)]] = 1.0f; // @up
}

tile_kernel void near_index(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_contents(t, tile_index() - 1, tile_index() + 1);
    x[t[tile_bid(0)] + 1] = 1.0f; // @near
}

/* The guard keeps all elements of even index, and they are four with two values. */
tile_kernel void even_kept(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_extent(t, 8);
    tile_contents(t, 0, 1 + tile_index() % 2 * 8);
    int r = t[tile_bid(0)];
    if (r < 8)
        x[r] = 1.0f; // @even
}

tile_kernel void even_kept_four(float *restrict x, const int *restrict t)
{
    tile_grid(8);
    tile_extent(t, 8);
    tile_contents(t, 0, 3 + tile_index() % 2 * 6);
    int r = t[tile_bid(0)];
    if (r < 8)
        x[r] = 1.0f; // @even_four
}

tile_kernel void first_kept(float *restrict x, const int *restrict t)
{
    tile_grid(16);
    tile_extent(t, 16);
    tile_contents(t, 5 - tile_index() / 4 * 6, 7);
    int r = t[tile_bid(0)];
    if (r >= 0)
        x[r] = 1.0f; // @first
}

tile_kernel void kept_by_size(float *restrict x, const int *restrict t, int n)
{
    tile_grid(8);
    tile_assume(n >= 4 && n <= 6);
    tile_extent(t, 8);
    tile_contents(t, 0, n - 4 + tile_index() % 2 * (13 - n));
    int r = t[tile_bid(0)];
    if (r < 8)
        x[r] = 1.0f; // @by_size
}

tile_kernel void kept_by_size_seven(float *restrict x, const int *restrict t, int n)
{
    tile_grid(8);
    tile_assume(n >= 4 && n <= 7);
    tile_extent(t, 8);
    tile_contents(t, 0, n - 4 + tile_index() % 2 * (13 - n));
    int r = t[tile_bid(0)];
    if (r < 8)
        x[r] = 1.0f; // @by_size_seven
}

// EXPECT kernel dropped
// EXPECT verdict conditional
// EXPECT TR001 @dropped @dropped
// EXPECT requires unique-contents:race

// EXPECT kernel capacity
// EXPECT verdict conditional
// EXPECT TR001 @capacity @capacity
// EXPECT requires unique-contents:race

// EXPECT kernel two_guards
// EXPECT verdict conditional
// EXPECT TR001 @t @t
// EXPECT TR001 @s @s
// EXPECT requires unique-contents:race

// EXPECT kernel tokens
// EXPECT verdict conditional
// EXPECT TR001 @tokens @tokens
// EXPECT requires unique-contents:race

// EXPECT kernel promised
// EXPECT verdict race-free

// EXPECT kernel all_kept
// EXPECT verdict race
// EXPECT TR001 @all @all
// EXPECT observable no

// EXPECT kernel one_value
// EXPECT verdict race
// EXPECT TR001 @one @one
// EXPECT observable no

// EXPECT kernel halved
// EXPECT verdict race
// EXPECT TR001 @halved @halved
// EXPECT observable no

// EXPECT kernel dropped_to_zero
// EXPECT verdict race
// EXPECT TR001 @zero @zero
// EXPECT observable no

// EXPECT kernel half_of_index
// EXPECT verdict race
// EXPECT TR001 @half @half
// EXPECT observable no

// EXPECT kernel seven_down
// EXPECT verdict race
// EXPECT TR001 @down @down
// EXPECT observable no

// EXPECT kernel up_to_index
// EXPECT verdict conditional
// EXPECT TR001 @up @up
// EXPECT requires unique-contents:race

// EXPECT kernel near_index
// EXPECT verdict conditional
// EXPECT TR001 @near @near
// EXPECT requires unique-contents:race

// EXPECT kernel even_kept
// EXPECT verdict race
// EXPECT TR001 @even @even
// EXPECT observable no

// EXPECT kernel even_kept_four
// EXPECT verdict conditional
// EXPECT TR001 @even_four @even_four
// EXPECT requires unique-contents:race

// EXPECT kernel first_kept
// EXPECT verdict race
// EXPECT TR001 @first @first
// EXPECT observable no

// EXPECT kernel kept_by_size
// EXPECT verdict race
// EXPECT TR001 @by_size @by_size
// EXPECT observable no

// EXPECT kernel kept_by_size_seven
// EXPECT verdict conditional
// EXPECT TR001 @by_size_seven @by_size_seven
// EXPECT requires unique-contents:race

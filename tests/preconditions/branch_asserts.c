/* What a kernel asserts in a branch is asked of the launches that take it, and once. */
#include <tile.h>

tile_kernel void either(float *restrict x, int n, int m)
{
    int b = tile_bid(0);
    if (n < 4)
        tile_assert(m >= 4);
    if (m < 4)
        tile_assert(n >= 4);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f); // @either
}

tile_kernel void in_both(float *restrict x, int n, int a)
{
    int b = tile_bid(0);
    if (a > 0)
        tile_assert(n >= 4);
    if (a <= 0)
        tile_assert(n >= 4);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f);
}

tile_kernel void weaker_in_one(float *restrict x, int n, int a)
{
    int b = tile_bid(0);
    if (a > 0)
        tile_assert(n >= 4);
    if (a <= 0)
        tile_assert(n >= 2);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f); // @weaker
}

tile_kernel void by_float(float *restrict x, float s, int n)
{
    int b = tile_bid(0);
    if (s > 0.5f)
        tile_assert(n >= 4);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(4)), 1.0f); // @float
}

tile_kernel void in_loop(float *restrict x, int n, int p)
{
    int b = tile_bid(0);
    for (int i = 0; i < p; i++)
        tile_assert(n >= 8);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(8)), 1.0f); // @loop
}

tile_kernel void on_diagonal(float *restrict x, int H)
{
    int bx = tile_bid(0), by = tile_bid(1);
    if (bx == by)
        tile_assert(by < H);
    x[bx * H + by] = 1.0f; // @diagonal
}

/* What is asked of the grid in one branch binds no launch that takes another one: n may be 3. */
tile_kernel void grid_in_two(float *restrict x, int n)
{
    int g = tile_grid_extent(0), b = tile_bid(0);
    x[b % 8] = 1.0f; // @grid_in_two
    if (n < 3)
        tile_assert(g <= 8);
    else if (n > 3)
        tile_assert(g <= 6);
}

tile_kernel void grid_in_all(float *restrict x, int n)
{
    int g = tile_grid_extent(0), b = tile_bid(0);
    x[b % 8] = 1.0f;
    if (n < 3)
        tile_assert(g <= 8);
    else
        tile_assert(g <= 6);
}

tile_kernel void grid_beside(float *restrict x, int n)
{
    int g = tile_grid_extent(0), b = tile_bid(0);
    if (n < 3) {
        tile_assert(g <= 8);
        x[b % 8] = 1.0f;
    }
}

tile_kernel void grid_elsewhere(float *restrict x, int n, int m)
{
    int g = tile_grid_extent(0), b = tile_bid(0);
    if (n < m)
        tile_assert(g <= 8);
    if (n <= m)
        x[b % 8] = 1.0f; // @grid_elsewhere
}

/* What never holds asks for the other way; 16 is left. */
tile_kernel void never_above(float *restrict x, int s)
{
    tile_grid(17);
    int b = tile_bid(0);
    if (s > 16)
        tile_assert(false);
    tile_assert(s >= 16);
    x[b % s] = 1.0f; // @never_above
}

tile_kernel void never_below(float *restrict x, int s)
{
    int b = tile_bid(0);
    if (s < 16)
        tile_assert(false);
    tile_store_ptr(tile_pointers(x, b * s + tile_iota(16)), 1.0f);
}

tile_kernel void never_far_below(float *restrict x, int s)
{
    int b = tile_bid(0);
    if (s < 8)
        tile_assert(false);
    tile_store_ptr(tile_pointers(x, b * s + tile_iota(16)), 1.0f); // @never_far_below
}

// EXPECT kernel either
// EXPECT verdict conditional
// EXPECT TR001 @either @either
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel in_both
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch kernel-assume:launch no-wrap:launch

// EXPECT kernel weaker_in_one
// EXPECT verdict conditional
// EXPECT TR001 @weaker @weaker
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel by_float
// EXPECT verdict conditional
// EXPECT TR001 @float @float
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel in_loop
// EXPECT verdict conditional
// EXPECT TR001 @loop @loop
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel on_diagonal
// EXPECT verdict conditional
// EXPECT TR001 @diagonal @diagonal
// EXPECT requires no-wrap:launch grid-bound:race

// EXPECT kernel grid_in_two
// EXPECT verdict race
// EXPECT TR001 @grid_in_two @grid_in_two
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel grid_in_all
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel grid_beside
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel grid_elsewhere
// EXPECT verdict race
// EXPECT TR001 @grid_elsewhere @grid_elsewhere
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel never_above
// EXPECT verdict race
// EXPECT TR001 @never_above @never_above
// EXPECT requires kernel-assume
// EXPECT asks s >= 16
// EXPECT asks s <= 16
// EXPECT observable no

// EXPECT kernel never_below
// EXPECT verdict race-free
// EXPECT requires kernel-assume no-wrap in-bounds

// EXPECT kernel never_far_below
// EXPECT verdict conditional
// EXPECT TR001 @never_far_below @never_far_below
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

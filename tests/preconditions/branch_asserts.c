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

/* Of two facts on one thing both count: a true fact beside another takes nothing away. */
#include <tile.h>

tile_kernel void all_then_some(int *restrict x, const int *restrict t)
{
    tile_unique(t);
    tile_unique_when(t, tile_value() > 3);
    x[t[tile_bid(0)]] = 1;
}

tile_kernel void some_then_all(int *restrict x, const int *restrict t)
{
    tile_unique_when(t, tile_value() > 3);
    tile_unique(t);
    x[t[tile_bid(0)]] = 1;
}

tile_kernel void near_then_far(int *restrict x, const int *restrict t)
{
    tile_contents(t, 5, 100);
    tile_contents(t, 0, 1000);
    int b = tile_bid(0);
    x[b * 96 + t[b] - 5] = 1;
}

tile_kernel void far_then_near(int *restrict x, const int *restrict t)
{
    tile_contents(t, 0, 1000);
    tile_contents(t, 5, 100);
    int b = tile_bid(0);
    x[b * 96 + t[b] - 5] = 1;
}

tile_kernel void each_bound_from_one(int *restrict x, const unsigned *restrict t)
{
    tile_increasing(t); /* says that they are unsigned, and no more of their range */
    tile_contents(t, 5, 1000);
    tile_contents(t, 0, 100);
    int b = tile_bid(0);
    x[b * 96 + (int)t[b] - 5] = 1;
}

tile_kernel void still_too_far(int *restrict x, const int *restrict t)
{
    tile_contents(t, 5, 101);
    tile_contents(t, 0, 1000);
    int b = tile_bid(0);
    x[b * 96 + t[b] - 5] = 1; // @far
}

tile_kernel void sums_said_again(int *restrict x, const int *restrict t, const int *restrict u)
{
    tile_prefix_sum(t, u);
    tile_contents(u, 1, 5);
    tile_prefix_sum(t, u);
    x[t[tile_bid(0)]] = 1;
}

// EXPECT kernel all_then_some
// EXPECT verdict race-free

// EXPECT kernel some_then_all
// EXPECT verdict race-free

// EXPECT kernel near_then_far
// EXPECT verdict race-free

// EXPECT kernel far_then_near
// EXPECT verdict race-free

// EXPECT kernel each_bound_from_one
// EXPECT verdict race-free

// EXPECT kernel still_too_far
// EXPECT verdict conditional
// EXPECT TR001 @far @far
// EXPECT requires contents-range:race

// EXPECT kernel sums_said_again
// EXPECT verdict race-free

/* A divisor that is a size is asked to be positive, and a negative one is defined: with -2 blocks 0
 * and 2 meet. That is so beside a loop, a table, a stated grid and a second divisor. */
#include <tile.h>

tile_kernel void looped(int *x, int d)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++)
        x[1000 + (b / d * (d + 2) + b % d) * 4 + i] = 1; // @looped
}

tile_kernel void looked_up(int *restrict x, const int *restrict t, int d)
{
    tile_unique(t);
    tile_contents(t, 0, 100);
    tile_grid(8);
    int v = t[tile_bid(0)];
    x[1000 + v / d * (d + 2) + v % d] = 1; // @looked
}

tile_kernel void stated_grid(int *x, int d)
{
    tile_grid(8);
    int b = tile_bid(0);
    x[1000 + b / d * (d + 2) + b % d] = 1; // @grid
}

/* Twin: no negative one is left. */
tile_kernel void stated_size(int *x, int d)
{
    tile_assume(d > 0);
    tile_grid(8);
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++)
        x[(b / d * (d + 2) + b % d) * 4 + i] = 1;
}

// EXPECT kernel looped
// EXPECT verdict conditional
// EXPECT TR001 @looped @looped
// EXPECT requires no-wrap:launch positive-divisor:race

// EXPECT kernel looked_up
// EXPECT verdict conditional
// EXPECT TR001 @looked @looked
// EXPECT requires no-wrap:launch positive-divisor:race

// EXPECT kernel stated_grid
// EXPECT verdict conditional
// EXPECT TR001 @grid @grid
// EXPECT requires no-wrap:launch positive-divisor:race

// EXPECT kernel stated_size
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

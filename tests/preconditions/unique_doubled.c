/* The elements differ, as is stated, and twice as much of them need not: 0 and 2^31. The other
 * blocks of a stated grid have elements of their own, which must not hide that. */
#include <tile.h>

tile_kernel void eight_blocks(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_grid(8);
    x[2u * t[tile_bid(0)]] = 1; // @eight
}

tile_kernel void thousand_blocks(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_grid(1000);
    x[2u * t[tile_bid(0)]] = 1; // @thousand
}

tile_kernel void with_extent(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_extent(t, 8);
    tile_grid(8);
    x[4u * t[tile_bid(0)]] = 1; // @extent
}

tile_kernel void twice_added(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_grid(64);
    unsigned v = t[tile_bid(0)];
    x[v + v] = 1; // @added
}

/* Twins: once, and twice of numbers that stay below 2^31. */
tile_kernel void once(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_grid(8);
    x[t[tile_bid(0)]] = 1;
}

tile_kernel void below(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_contents(t, 0, 1000000);
    tile_grid(8);
    x[2u * t[tile_bid(0)]] = 1;
}

// EXPECT kernel eight_blocks
// EXPECT verdict conditional
// EXPECT TR001 @eight @eight
// EXPECT requires contents-range:race

// EXPECT kernel thousand_blocks
// EXPECT verdict conditional
// EXPECT TR001 @thousand @thousand
// EXPECT requires contents-range:race

// EXPECT kernel with_extent
// EXPECT verdict conditional
// EXPECT TR001 @extent @extent
// EXPECT requires contents-range:race

// EXPECT kernel twice_added
// EXPECT verdict conditional
// EXPECT TR001 @added @added
// EXPECT requires contents-range:race

// EXPECT kernel once
// EXPECT verdict race-free

// EXPECT kernel below
// EXPECT verdict race-free

/* A parameter chooses by how much values wrap, in a grid whose size is stated: on one side far
 * blocks meet, which is a race of every launch that takes it. Where that side leaves the buffer
 * before blocks meet, it is an error in itself, and no race. */
#include <tile.h>

tile_kernel void shift_in_stated_grid(int *restrict x, int s)
{
    tile_grid(65537);
    unsigned b = tile_bid(0);
    x[b << (s > 3 ? 16 : 8)] = 1; // @shift
}

tile_kernel void factor_in_stated_grid(int *restrict x, int s)
{
    tile_grid(65537);
    unsigned b = tile_bid(0);
    x[b * (s == 7 ? 65536u : 256u)] = 1; // @factor
}

/* That s is positive is true of the side, and says nothing of it. */
tile_kernel void known_sign(int *restrict x, int s)
{
    tile_grid(65537);
    tile_assume(s > 0);
    unsigned b = tile_bid(0);
    x[b * (s > 3 ? 65536u : 256u)] = 1; // @sign
}

tile_kernel void large_grid(int *restrict x, int s, int m)
{
    tile_grid(m);
    tile_assume(m > 65536);
    unsigned b = tile_bid(0);
    x[b << (s > 3 ? 16 : 8)] = 1; // @large
}

tile_kernel void room_for_all(int *restrict x, int s)
{
    tile_grid(65537);
    tile_extent(x, 1l << 32);
    unsigned b = tile_bid(0);
    x[b << (s > 3 ? 16 : 8)] = 1; // @room
}

tile_kernel void room_by_parameter(int *restrict x, int s, long n)
{
    tile_grid(65537);
    tile_extent(x, n);
    unsigned b = tile_bid(0);
    x[b << (s > 3 ? 16 : 8)] = 1; // @by_parameter
}

tile_kernel void on_another_axis(int *restrict x, int s)
{
    tile_grid(1, 65537);
    unsigned b = tile_bid(1);
    x[b << (s > 3 ? 16 : 8)] = 1; // @axis
}

/* Twins. Block 257 of the side that wraps has left the buffer. */
tile_kernel void leaves_first(int *restrict x, int s, int m)
{
    tile_grid(m);
    tile_extent(x, 16777217);
    unsigned b = tile_bid(0);
    x[b << (s > 3 ? 16 : 8)] = 1;
}

tile_kernel void leaves_first_by_factor(int *restrict x, int s, int m)
{
    tile_grid(m);
    tile_extent(x, 16777217);
    unsigned b = tile_bid(0);
    x[b * (s > 3 ? 65536u : 256u)] = 1;
}

tile_kernel void leaves_in_stated_grid(int *restrict x, int s)
{
    tile_grid(65537);
    tile_extent(x, 16777217);
    unsigned b = tile_bid(0);
    x[b << (s > 3 ? 16 : 8)] = 1;
}

/* Another access of that side leaves. */
tile_kernel void leaves_elsewhere(int *restrict x, int *restrict y, int s, int m)
{
    tile_grid(m);
    tile_extent(y, 16777217);
    unsigned b = tile_bid(0);
    x[b << (s > 3 ? 16 : 8)] = 1;
    y[b * (s > 3 ? 4096u : 256u)] = 1;
}

tile_kernel void one_block_less(int *restrict x, int s)
{
    tile_grid(65536);
    unsigned b = tile_bid(0);
    x[b << (s > 3 ? 16 : 8)] = 1;
}

// EXPECT kernel shift_in_stated_grid
// EXPECT verdict race
// EXPECT TR001 @shift @shift
// EXPECT observable no

// EXPECT kernel factor_in_stated_grid
// EXPECT verdict race
// EXPECT TR001 @factor @factor
// EXPECT observable no

// EXPECT kernel known_sign
// EXPECT verdict race
// EXPECT TR001 @sign @sign
// EXPECT observable no

// EXPECT kernel large_grid
// EXPECT verdict race
// EXPECT TR001 @large @large
// EXPECT observable no

// EXPECT kernel room_for_all
// EXPECT verdict race
// EXPECT TR001 @room @room
// EXPECT observable no

// EXPECT kernel room_by_parameter
// EXPECT verdict race
// EXPECT TR001 @by_parameter @by_parameter
// EXPECT observable no
// EXPECT requires in-bounds:launch

// EXPECT kernel on_another_axis
// EXPECT verdict race
// EXPECT TR001 @axis @axis
// EXPECT observable no

// EXPECT kernel leaves_first
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch in-bounds:launch

// EXPECT kernel leaves_first_by_factor
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch in-bounds:launch

// EXPECT kernel leaves_in_stated_grid
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel leaves_elsewhere
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch in-bounds:launch

// EXPECT kernel one_block_less
// EXPECT verdict race-free

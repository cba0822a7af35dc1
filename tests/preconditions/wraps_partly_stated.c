// A true fact that says nothing of how large a size gets does not make a product that may wrap a
// stated one: it stays a launch precondition that it does not.
#include <tile.h>

tile_kernel void positive_stride(int *x, int m, int s)
{
    tile_grid(m);
    tile_assume(s > 0);
    x[tile_bid(0) * s] = 1;
}

tile_kernel void positive_unsigned(int *x, unsigned n)
{
    tile_grid(8);
    tile_assume(n > 0);
    x[tile_bid(0) * n] = 1;
}

tile_kernel void multiple_of_four(int *x, unsigned n)
{
    tile_grid(8);
    tile_assume(n % 4 == 0 && n > 0);
    x[tile_bid(0) * n] = 1;
}

// The product of the sizes is 0 where it wraps: that is asked for.
tile_kernel void two_sizes(int *x, unsigned n, unsigned m)
{
    tile_grid(8);
    tile_assume(n > 0 && m > 0);
    x[tile_bid(0) * (n * m)] = 1; // @two
}

// The contract says how large n gets, and lets the product wrap.
tile_kernel void large_is_stated(int *x, unsigned n)
{
    tile_grid(8);
    tile_assume(n > 0 && n <= 1073741824u);
    x[tile_bid(0) * n] = 1; // @large
}

// It wraps in every launch that the contract allows.
tile_kernel void always_wraps(int *x, unsigned n)
{
    tile_grid(65537);
    tile_assume(n >= 65536);
    x[tile_bid(0) * n] = 1; // @always
}

tile_kernel void always_wraps_by_two(int *x, unsigned n, unsigned m)
{
    tile_grid(65537);
    tile_assume(n >= 256 && m >= 256);
    x[tile_bid(0) * (n * m)] = 1; // @always_two
}

tile_kernel void always_undefined(int *x, int n)
{
    tile_grid(65537);
    tile_assume(n >= 65536);
    x[(int)tile_bid(0) * n] = 1; // @undefined
}

// EXPECT kernel positive_stride
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel positive_unsigned
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel multiple_of_four
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel two_sizes
// EXPECT verdict conditional
// EXPECT TR001 @two @two
// EXPECT requires no-wrap:race

// EXPECT kernel large_is_stated
// EXPECT verdict race
// EXPECT TR001 @large @large
// EXPECT observable no

// EXPECT kernel always_wraps
// EXPECT verdict race
// EXPECT TR001 @always @always
// EXPECT observable no

// EXPECT kernel always_wraps_by_two
// EXPECT verdict race
// EXPECT TR001 @always_two @always_two
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel always_undefined
// EXPECT verdict race-free
// EXPECT TR009 @undefined

/* Facts of the launch that leave one tile block or one iteration together, and none of them alone:
 * each is judged with those before it. The race stays. */
#include <tile.h>

tile_kernel void by_parameter(int *restrict x, int m)
{
    tile_assert(tile_grid_extent(0) <= m);
    tile_assert(m <= 1); // @by_parameter_assert
    x[0] = tile_bid(0);  // @by_parameter
}

tile_kernel void other_axis(int *restrict x, int m)
{
    tile_assert(tile_grid_extent(1) <= m);
    tile_assert(m <= 1);          // @other_axis_assert
    x[tile_bid(0)] = tile_bid(1); // @other_axis
}

tile_kernel void by_two(int *restrict x, int m, int n)
{
    tile_assert(m <= 2 * n);
    tile_assert(tile_grid_extent(0) <= m / 2);
    tile_assert(n < 2); // @by_two_assert
    x[0] = tile_bid(0); // @by_two
}

tile_kernel void in_branch(int *restrict x, int m, int flag)
{
    if (flag) {
        tile_assert(tile_grid_extent(0) <= m);
        tile_assert(m <= 1); // @in_branch_assert
        x[0] = tile_bid(0);  // @in_branch
    }
}

tile_kernel void partly_in_branch(int *restrict x, int m, int flag)
{
    tile_assert(m == 3 * tile_grid_extent(0));
    if (flag) {
        tile_assert(m < 6); // @partly_assert
        x[0] = tile_bid(0); // @partly
    }
}

tile_kernel void square_in_branch(int *restrict x, int flag)
{
    int g = tile_grid_extent(0);
    if (flag) {
        tile_assert(g * g < 4); // @square_assert
        x[0] = tile_bid(0);     // @square
    }
}

tile_kernel void in_view(const float *restrict src, float *restrict x, int m)
{
    tile_assert(m <= 1);
    tile_view v = tile_partition(tile_tensor(src, m * 16), 16);
    tile t = tile_load(v, tile_bid(0));                 // @in_view_load
    tile_store_ptr(tile_pointers(x, tile_iota(16)), t); // @in_view
}

tile_kernel void rounds(int *restrict x, int n, int m)
{
    tile_assert(n <= m);
    tile_assert(m <= 1); // @rounds_assert
    for (int i = 0; i < n; i++)
        x[tile_bid(0) + i] = i; // @rounds
}

tile_kernel void either_axis(int *restrict x)
{
    tile_assert(tile_grid_extent(0) * tile_grid_extent(1) <= 3); // @either_axis_assert
    x[tile_bid(0) + tile_bid(1)] = 1;                            // @either_axis
}

tile_kernel void several_left(int *restrict x, int m)
{
    tile_assert(tile_grid_extent(0) <= m);
    tile_assert(m <= 2);
    x[tile_bid(0)] = 1;
}

tile_kernel void several_left_in_branch(int *restrict x, int m, int flag)
{
    if (flag) {
        tile_assert(tile_grid_extent(0) <= m);
        tile_assert(m <= 2);
    }
    x[tile_bid(0)] = 1;
}

tile_kernel void several_left_too_short(int *restrict x, int m)
{
    tile_assert(tile_grid_extent(0) <= m);
    tile_assert(m <= 3);
    x[tile_bid(0) % 2] = 1; // @too_short
}

/* No launch takes both branches. */
tile_kernel void other_branch(int *restrict x, int n, int flag)
{
    if (flag)
        tile_assert(tile_grid_extent(0) <= n);
    else
        tile_assert(n <= 1);
    x[tile_bid(0)] = 1;
}

// EXPECT kernel by_parameter
// EXPECT verdict race
// EXPECT TR028 @by_parameter_assert
// EXPECT TR001 @by_parameter @by_parameter
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel other_axis
// EXPECT verdict race
// EXPECT TR028 @other_axis_assert
// EXPECT TR001 @other_axis @other_axis
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel by_two
// EXPECT verdict race
// EXPECT TR028 @by_two_assert
// EXPECT TR001 @by_two @by_two
// EXPECT requires kernel-assume no-wrap
// EXPECT observable no

// EXPECT kernel in_branch
// EXPECT verdict race
// EXPECT TR028 @in_branch_assert
// EXPECT TR001 @in_branch @in_branch
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel partly_in_branch
// EXPECT verdict race
// EXPECT TR028 @partly_assert
// EXPECT TR001 @partly @partly
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel square_in_branch
// EXPECT verdict race
// EXPECT TR028 @square_assert
// EXPECT TR001 @square @square
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel in_view
// EXPECT verdict race
// EXPECT TR007 @in_view_load
// EXPECT TR001 @in_view @in_view
// EXPECT requires kernel-assume no-wrap
// EXPECT observable no

// EXPECT kernel rounds
// EXPECT verdict race
// EXPECT TR028 @rounds_assert
// EXPECT TR001 @rounds @rounds
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel either_axis
// EXPECT verdict race
// EXPECT TR028 @either_axis_assert
// EXPECT TR001 @either_axis @either_axis
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel several_left
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel several_left_in_branch
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel several_left_too_short
// EXPECT verdict race
// EXPECT TR001 @too_short @too_short
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel other_branch
// EXPECT verdict race-free
// EXPECT requires kernel-assume

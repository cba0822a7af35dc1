/* A contract that says that an axis which the kernel does not read has several blocks. It overrides
 * the standing assumption of a single one; a contract that one block meets does not. */
#include <tile.h>

tile_kernel void u_least(float *restrict x)
{
    tile_assume(tile_grid_extent(0) >= 2);
    x[0] = 1.0f; // @u_least
}

tile_kernel void u_equal(float *restrict x)
{
    tile_assume(tile_grid_extent(1) == 2);
    x[tile_bid(0)] = 1.0f; // @u_equal
}

tile_kernel void u_unequal(float *restrict x)
{
    tile_assume(tile_grid_extent(2) != 1);
    x[tile_bid(0)] = 1.0f; // @u_unequal
}

tile_kernel void u_product(float *restrict x)
{
    tile_assume(tile_grid_extent(1) * tile_grid_extent(2) >= 2);
    x[tile_bid(0)] = 1.0f; // @u_product
}

tile_kernel void u_atomic(int *restrict x)
{
    tile_assume(tile_grid_extent(1) >= 4);
    tile_atomic_add(tile_pointers(x, tile_bid(0)), 1, TILE_RELAXED, TILE_DEVICE);
}

tile_kernel void u_met(float *restrict x)
{
    tile_assume(tile_grid_extent(1) <= 4);
    x[tile_bid(0)] = 1.0f;
}

tile_kernel void u_load(const float *restrict x, float *restrict y)
{
    tile_assume(tile_grid_extent(1) == 3);
    y[tile_bid(0) + tile_grid_extent(0) * tile_bid(1)] = x[0];
}

// EXPECT kernel u_least
// EXPECT verdict race
// EXPECT TR001 @u_least @u_least
// EXPECT observable no

// EXPECT kernel u_equal
// EXPECT verdict race
// EXPECT TR001 @u_equal @u_equal
// EXPECT observable no

// EXPECT kernel u_unequal
// EXPECT verdict race
// EXPECT TR001 @u_unequal @u_unequal
// EXPECT observable no

// EXPECT kernel u_product
// EXPECT verdict race
// EXPECT TR001 @u_product @u_product
// EXPECT observable no

// EXPECT kernel u_atomic
// EXPECT verdict race-free

// EXPECT kernel u_met
// EXPECT verdict race-free

// EXPECT kernel u_load
// EXPECT verdict race-free

/* An extent that is given by a parameter or another axis is stated as one of tile_grid is. */
tile_kernel void u_parameter(float *restrict x, int h)
{
    tile_assume(tile_grid_extent(1) == h);
    x[tile_bid(0)] = 1.0f; // @u_parameter
}

tile_kernel void u_other_axis(float *restrict x)
{
    tile_assume(tile_grid_extent(1) == tile_grid_extent(0));
    x[tile_bid(0)] = 1.0f; // @u_other_axis
}

tile_kernel void u_rounded(float *restrict x, int h)
{
    tile_assume(h > 2 && tile_grid_extent(2) == (h + 1) / 2);
    x[tile_bid(0)] = 1.0f; // @u_rounded
}

tile_kernel void u_bounded(float *restrict x, int h)
{
    tile_assume(tile_grid_extent(1) <= h);
    x[tile_bid(0)] = 1.0f;
}

tile_kernel void u_one(float *restrict x, int h)
{
    tile_assume(tile_grid_extent(1) == h && h == 1);
    x[tile_bid(0)] = 1.0f;
}

// EXPECT kernel u_parameter
// EXPECT verdict race
// EXPECT TR001 @u_parameter @u_parameter
// EXPECT observable no

// EXPECT kernel u_other_axis
// EXPECT verdict race
// EXPECT TR001 @u_other_axis @u_other_axis
// EXPECT observable no

// EXPECT kernel u_rounded
// EXPECT verdict race
// EXPECT TR001 @u_rounded @u_rounded
// EXPECT observable no

// EXPECT kernel u_bounded
// EXPECT verdict race-free

// EXPECT kernel u_one
// EXPECT verdict race-free

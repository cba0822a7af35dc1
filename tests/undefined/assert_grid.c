/* Asserts and assumes on the extents of the grid. One that leaves a single block on an axis on
 * which blocks differ is an error at its own line, and the race stays. */
#include <tile.h>

tile_kernel void g_equal(float *restrict x)
{
    tile_assert(tile_grid_extent(0) == 1); // @g_equal_assert
    x[0] = (float)tile_bid(0);             // @g_equal
}

tile_kernel void g_below(float *restrict x)
{
    tile_assert(tile_grid_extent(1) < 2); // @g_below_assert
    x[tile_bid(0)] = (float)tile_bid(1);  // @g_below
}

tile_kernel void g_product(float *restrict x)
{
    tile_assert(tile_grid_extent(0) * 64 <= 64); // @g_product_assert
    x[tile_bid(0) / 2] = 1.0f;                   // @g_product
}

tile_kernel void g_sum(float *restrict x)
{
    tile_assert(tile_grid_extent(0) + tile_grid_extent(1) <= 2); // @g_sum_assert
    x[tile_bid(0) + tile_bid(1)] = 1.0f;                         // @g_sum
}

tile_kernel void g_second(float *restrict x)
{
    tile_assert(tile_grid_extent(0) <= 8);
    tile_assert(tile_grid_extent(0) <= 1); // @g_second_assert
    x[tile_bid(0) / 2] = 1.0f;             // @g_second
}

tile_kernel void g_harmless(float *restrict x)
{
    tile_assert(tile_grid_extent(0) <= 8);
    x[tile_bid(0)] = 1.0f;
}

tile_kernel void g_unread(float *restrict x)
{
    tile_assert(tile_grid_extent(1) == 1);
    x[tile_bid(0)] = 1.0f;
}

tile_kernel void g_limit(float *restrict x)
{
    tile_assert(tile_grid_extent(0) <= 8);
    x[tile_bid(0) % 8] = 1.0f;
}

tile_kernel void g_limit_short(float *restrict x)
{
    tile_assert(tile_grid_extent(0) <= 9);
    x[tile_bid(0) % 8] = 1.0f; // @g_limit_short
}

// EXPECT kernel g_equal
// EXPECT verdict race
// EXPECT TR001 @g_equal @g_equal
// EXPECT TR028 @g_equal_assert
// EXPECT observable no

// EXPECT kernel g_below
// EXPECT verdict race
// EXPECT TR001 @g_below @g_below
// EXPECT TR028 @g_below_assert
// EXPECT observable no

// EXPECT kernel g_product
// EXPECT verdict race
// EXPECT TR001 @g_product @g_product
// EXPECT TR028 @g_product_assert
// EXPECT observable no

// EXPECT kernel g_sum
// EXPECT verdict race
// EXPECT TR001 @g_sum @g_sum
// EXPECT TR028 @g_sum_assert
// EXPECT observable no

// EXPECT kernel g_second
// EXPECT verdict race
// EXPECT TR001 @g_second @g_second
// EXPECT TR028 @g_second_assert
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel g_harmless
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel g_unread
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel g_limit
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel g_limit_short
// EXPECT verdict race
// EXPECT TR001 @g_limit_short @g_limit_short
// EXPECT requires kernel-assume
// EXPECT observable no

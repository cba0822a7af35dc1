/* Exclusive ors with a number that nothing is known of but that both tile blocks have it: a column
 * of a row, swizzled by a table or by a power of two. */
#include <tile.h>

tile_kernel void by_power(int *restrict x)
{
    tile_grid(64, 6);
    x[(tile_bid(0) ^ (1 << tile_bid(1))) * 6 + tile_bid(1)] = 1;
}
// EXPECT kernel by_power
// EXPECT verdict race-free

tile_kernel void by_table(int *restrict x, const int *restrict t)
{
    tile_contents(t, 0, 63);
    tile_extent(t, 6);
    tile_grid(64, 6);
    x[(tile_bid(0) ^ t[tile_bid(1)]) * 6 + tile_bid(1)] = 1;
}
// EXPECT kernel by_table
// EXPECT verdict race-free

tile_kernel void by_any_table(int *restrict x, const int *restrict t)
{
    tile_grid(64, 6);
    x[(tile_bid(0) ^ t[tile_bid(1)]) * 6 + tile_bid(1)] = 1;
}
// EXPECT kernel by_any_table
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch no-wrap:launch

tile_kernel void by_table_of_the_column(int *restrict x, const int *restrict t)
{
    tile_contents(t, 0, 63);
    tile_extent(t, 64);
    tile_grid(64, 6);
    x[(tile_bid(0) ^ t[tile_bid(0)]) * 6 + tile_bid(1)] = 1; // @by_table_of_the_column_1
}
// EXPECT kernel by_table_of_the_column
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @by_table_of_the_column_1 @by_table_of_the_column_1

tile_kernel void rows_not_apart(int *restrict x, const int *restrict t)
{
    tile_contents(t, 0, 63);
    tile_extent(t, 6);
    tile_grid(64, 6);
    x[tile_bid(0) ^ t[tile_bid(1)]] = 1; // @rows_not_apart_1
}
// EXPECT kernel rows_not_apart
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @rows_not_apart_1 @rows_not_apart_1

tile_kernel void a_bit_dropped(int *restrict x, const int *restrict t)
{
    tile_contents(t, 0, 63);
    tile_extent(t, 6);
    tile_grid(64, 6);
    x[(tile_bid(0) ^ t[tile_bid(1)]) / 2 * 6 + tile_bid(1)] = 1; // @a_bit_dropped_1
}
// EXPECT kernel a_bit_dropped
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @a_bit_dropped_1 @a_bit_dropped_1

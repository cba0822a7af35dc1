/* Facts of the grid and of what a table holds that leave one tile block together. The race stays.
 */
#include <tile.h>

tile_kernel void by_entry(int *restrict x, const int *restrict t)
{
    tile_assert(tile_grid_extent(0) <= t[0]);
    tile_assert(t[0] <= 1); // @by_entry_assert
    x[0] = tile_bid(0);     // @by_entry
}

tile_kernel void entry_first(int *restrict x, const int *restrict t)
{
    tile_assert(t[0] <= 1);
    tile_assert(tile_grid_extent(0) <= t[0]); // @entry_first_assert
    x[0] = tile_bid(0);                       // @entry_first
}

/* A range is asked of all entries, so of the first one, too. */
tile_kernel void by_two_entries(int *restrict x, const int *restrict t)
{
    tile_assert(tile_grid_extent(0) <= t[0]);
    tile_assert(t[0] <= t[1]);
    tile_assert(t[1] <= 1); // @by_two_entries_assert
    x[0] = tile_bid(0);     // @by_two_entries
}

tile_kernel void by_stated_entry(int *restrict x, const int *restrict t)
{
    tile_contents(t, 0, 1);
    tile_assert(tile_grid_extent(0) <= t[0]); // @by_stated_entry_assert
    x[0] = tile_bid(0);                       // @by_stated_entry
}

tile_kernel void by_block(int *restrict x, const int *restrict t)
{
    tile_assert(t[0] <= 1);
    tile_assert(tile_bid(0) < t[0]); // @by_block_assert
    x[0] = tile_bid(0);              // @by_block
}

tile_kernel void by_view(int *restrict x, const int *restrict y, const int *restrict t)
{
    int n = t[0];
    tile_assert(n <= 1);
    tile_view rows = tile_partition(tile_tensor(y, n), 1);
    x[0] = tile_to_int(tile_reduce_sum(tile_load(rows, tile_bid(0)), 0)); // @by_view
}

tile_kernel void several_blocks(int *restrict x, const int *restrict t)
{
    tile_assert(tile_grid_extent(0) <= t[0]);
    tile_assert(t[0] <= 8);
    x[tile_bid(0) % 8] = 1;
}

/* Entries below 2, which nothing of the grid hangs on. */
tile_kernel void flags(int *restrict x, const int *restrict t, int n)
{
    tile_assert(tile_grid_extent(0) <= n);
    tile_assert(t[tile_bid(0)] >= 0);
    tile_assert(t[tile_bid(0)] < 2);
    x[2 * tile_bid(0) + t[tile_bid(0)]] = 1;
}

// EXPECT kernel by_entry
// EXPECT verdict race
// EXPECT TR028 @by_entry_assert
// EXPECT TR001 @by_entry @by_entry
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel entry_first
// EXPECT verdict race
// EXPECT TR028 @entry_first_assert
// EXPECT TR001 @entry_first @entry_first
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel by_two_entries
// EXPECT verdict race
// EXPECT TR028 @by_two_entries_assert
// EXPECT TR001 @by_two_entries @by_two_entries
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel by_stated_entry
// EXPECT verdict race
// EXPECT TR028 @by_stated_entry_assert
// EXPECT TR001 @by_stated_entry @by_stated_entry
// EXPECT observable no

// EXPECT kernel by_block
// EXPECT verdict race
// EXPECT TR028 @by_block_assert
// EXPECT TR001 @by_block @by_block
// EXPECT requires kernel-assume
// EXPECT observable no

// EXPECT kernel by_view
// EXPECT verdict race
// EXPECT TR007 @by_view
// EXPECT TR001 @by_view @by_view
// EXPECT requires kernel-assume no-wrap
// EXPECT observable no

// EXPECT kernel several_blocks
// EXPECT verdict race-free
// EXPECT requires kernel-assume

// EXPECT kernel flags
// EXPECT verdict race-free
// EXPECT requires kernel-assume contents-range

/* Sums, extremes and running sums of a table that no block writes: where all blocks fold the same
 * elements they have the same value, which moves what they write and makes no two of them meet.
 * Where each block has a sum of its own nothing is proved, and no contents are invented that make
 * two sums meet. */
#include <tile.h>

#define FROM(x, at) tile_load_ptr(tile_pointers(x, at))
#define SUM(x, at)  tile_to_int(tile_reduce_sum(FROM(x, at), 0))

tile_kernel void behind_the_sum(int *restrict lengths, float *restrict y)
{
    y[SUM(lengths, tile_iota(16)) + tile_bid(0)] = 1.0f;
}
// EXPECT kernel behind_the_sum
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void behind_the_own_sum(int *restrict lengths, float *restrict y)
{
    tile_grid(4);
    y[SUM(lengths, tile_bid(0) * 16 + tile_iota(16)) + tile_bid(0)] = 1.0f; // @behind_the_own_sum
}
// EXPECT kernel behind_the_own_sum
// EXPECT verdict unknown
// EXPECT requires no-wrap:launch
// EXPECT TR001 @behind_the_own_sum @behind_the_own_sum possible
// EXPECT reason unreplayed-witness

tile_kernel void two_to_a_place(int *restrict lengths, float *restrict y)
{
    y[SUM(lengths, tile_iota(16)) + tile_bid(0) / 2] = 1.0f; // @two_to_a_place
}
// EXPECT kernel two_to_a_place
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT TR001 @two_to_a_place @two_to_a_place
// EXPECT observable no

tile_kernel void behind_the_greatest(int *restrict first, float *restrict y)
{
    int end = tile_to_int(tile_reduce_max(FROM(first, tile_iota(32)), 0));
    tile_store_ptr(tile_pointers(y, end + tile_bid(0) * 8 + tile_iota(8)), 1.0f);
}
// EXPECT kernel behind_the_greatest
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void behind_the_greatest_too_near(int *restrict first, float *restrict y)
{
    int end = tile_to_int(tile_reduce_max(FROM(first, tile_iota(32)), 0));
    tile at = end + tile_bid(0) * 7 + tile_iota(8);
    tile_store_ptr(tile_pointers(y, at), 1.0f); // @behind_the_greatest_too_near
}
// EXPECT kernel behind_the_greatest_too_near
// EXPECT verdict race
// EXPECT requires no-wrap:launch
// EXPECT TR001 @behind_the_greatest_too_near @behind_the_greatest_too_near
// EXPECT observable no

/* Row i of the table, the same for all blocks; of another one in each iteration. */
tile_kernel void behind_each_row(int *restrict lengths, float *restrict y, int n)
{
    for (int i = 0; i < n; i++) {
        int start = SUM(lengths, i * 16 + tile_iota(16));
        y[(start + i) * tile_grid_extent(0) + tile_bid(0)] = 1.0f;
    }
}
// EXPECT kernel behind_each_row
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch

/* Iterations have values of their own: one block's first may be another's second. */
tile_kernel void behind_each_row_alone(int *restrict lengths, float *restrict y, int n)
{
    for (int i = 0; i < n; i++)
        y[SUM(lengths, i * 16 + tile_iota(16)) + tile_bid(0)] = 1.0f; // @behind_each_row_alone
}
// EXPECT kernel behind_each_row_alone
// EXPECT verdict unknown
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT TR001 @behind_each_row_alone @behind_each_row_alone possible
// EXPECT reason unreplayed-witness

/* The table is written: blocks may see different sums. */
tile_kernel void behind_a_sum_that_changes(int *restrict lengths, float *restrict y)
{
    lengths[32 + tile_bid(0)] = 1;
    y[SUM(lengths, tile_iota(16)) + tile_bid(0)] = 1.0f; // @behind_a_sum_that_changes
}
// EXPECT kernel behind_a_sum_that_changes
// EXPECT verdict unknown
// EXPECT requires no-wrap:launch
// EXPECT TR001 @behind_a_sum_that_changes @behind_a_sum_that_changes possible
// EXPECT reason unreplayed-witness

/* Each block sums as many of the elements as its id says. */
tile_kernel void behind_a_part(int *restrict lengths, float *restrict y)
{
    tile_grid(4);
    tile mask = tile_lt(tile_iota(16), 4 * tile_bid(0));
    tile part = tile_load_masked(tile_pointers(lengths, tile_iota(16)), mask, 0);
    y[tile_to_int(tile_reduce_sum(part, 0)) + tile_bid(0)] = 1.0f; // @behind_a_part
}
// EXPECT kernel behind_a_part
// EXPECT verdict unknown
// EXPECT requires no-wrap:launch
// EXPECT TR001 @behind_a_part @behind_a_part possible
// EXPECT reason unreplayed-witness

/* Of these the first element, or the first iteration, is the same for all blocks; no other is. */
tile_kernel void behind_the_own_pitch(int *restrict lengths, float *restrict y)
{
    tile_grid(4);
    tile row = FROM(lengths, tile_bid(0) * tile_iota(16));
    y[tile_to_int(tile_reduce_sum(row, 0)) + tile_bid(0)] = 1.0f; // @behind_the_own_pitch
}
// EXPECT kernel behind_the_own_pitch
// EXPECT verdict unknown
// EXPECT requires no-wrap:launch
// EXPECT TR001 @behind_the_own_pitch @behind_the_own_pitch possible
// EXPECT reason unreplayed-witness

tile_kernel void behind_the_own_but_first(int *restrict lengths, float *restrict y)
{
    tile_grid(4);
    tile e = tile_iota(16), at = tile_select(tile_eq(e, 0), e, e + 16 * tile_bid(0));
    y[SUM(lengths, at) + tile_bid(0)] = 1.0f; // @behind_the_own_but_first
}
// EXPECT kernel behind_the_own_but_first
// EXPECT verdict unknown
// EXPECT requires no-wrap:launch
// EXPECT TR001 @behind_the_own_but_first @behind_the_own_but_first possible
// EXPECT reason unreplayed-witness

tile_kernel void behind_the_own_factor(int *restrict lengths, float *restrict y, int n)
{
    tile_grid(4);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * tile_bid(0) + lengths[i];
    y[sum + tile_bid(0)] = 1.0f; // @behind_the_own_factor
}
// EXPECT kernel behind_the_own_factor
// EXPECT verdict unknown
// EXPECT requires no-wrap:launch
// EXPECT TR001 @behind_the_own_factor @behind_the_own_factor possible
// EXPECT reason unreplayed-witness

tile_kernel void behind_the_own_after_start(int *restrict lengths, float *restrict y, int n)
{
    tile_grid(4);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = lengths[i] + (sum == 0 ? 0 : tile_bid(0));
    y[sum + tile_bid(0)] = 1.0f; // @behind_the_own_after_start
}
// EXPECT kernel behind_the_own_after_start
// EXPECT verdict unknown
// EXPECT requires contents-range:launch no-wrap:launch
// EXPECT TR001 @behind_the_own_after_start @behind_the_own_after_start possible
// EXPECT reason unreplayed-witness

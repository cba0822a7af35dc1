/* What a kernel makes of a table, say the sum of its elements, has no name that a caller knows: a
 * precondition speaks of the access or the op instead. An element as it is at launch has one. */
#include <tile.h>

#define FROM(x, at) tile_load_ptr(tile_pointers(x, at))

tile_kernel void at_the_sum(int *restrict table, float *restrict in, float *restrict out)
{
    tile_extent(table, 16);
    tile_extent(in, 64);
    out[tile_bid(0)] = in[tile_to_int(tile_reduce_sum(FROM(table, tile_iota(16)), 0))];
}
// EXPECT kernel at_the_sum
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch
// EXPECT asks accesses to 'in' stay inside its 64 elements

tile_kernel void at_the_greatest(int *restrict table, float *restrict in, float *restrict out,
                                 int n)
{
    tile_extent(table, 16);
    tile_extent(in, n);
    out[tile_bid(0)] = in[tile_to_int(tile_reduce_max(FROM(table, tile_iota(16)), 0))];
}
// EXPECT kernel at_the_greatest
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch
// EXPECT asks accesses to 'in' stay inside its n elements

tile_kernel void at_the_running_sum(int *restrict table, float *restrict in, float *restrict out,
                                    int n)
{
    tile_extent(table, n);
    tile_extent(in, 64);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += table[i];
    out[tile_bid(0)] = in[sum];
}
// EXPECT kernel at_the_running_sum
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT asks accesses to 'in' stay inside its 64 elements
// EXPECT asks the sum in line 37 stays in the range of its type

tile_kernel void at_an_element(int *restrict table, float *restrict in, float *restrict out)
{
    tile_extent(table, 16);
    tile_extent(in, 64);
    out[tile_bid(0)] = in[table[0] + tile_bid(0)];
}
// EXPECT kernel at_an_element
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch
// EXPECT asks grid.x + table[0] <= 64
// EXPECT asks table[0] >= 0

tile_kernel void behind_a_sum(int *restrict table, float *restrict out)
{
    tile_extent(table, 16);
    tile_extent(out, 64);
    int start = tile_to_int(tile_reduce_sum(FROM(table, tile_iota(16)), 0));
    out[start + tile_bid(0)] = 1.0f;
}
// EXPECT kernel behind_a_sum
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT asks accesses to 'out' stay inside its 64 elements
// EXPECT asks the sum in line 63 stays in the range of its type

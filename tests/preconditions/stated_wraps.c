/* Arithmetic that wraps by definition, on elements of tables that are stated to be so large that it
 * always does: that it does not wrap would contradict the contract, so machine values are
 * followed. */
#include <tile.h>

tile_kernel void from_half(float *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_contents(t, 2147483640, 4294967295);
    x[t[tile_bid(0)] * 2u] = 1.0f; // @from_half
}
// EXPECT kernel from_half
// EXPECT verdict race
// EXPECT TR001 @from_half @from_half
// EXPECT observable no

tile_kernel void around_half(float *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_contents(t, 2147483644, 2147483651);
    x[t[tile_bid(0)] * 2u] = 1.0f;
}
// EXPECT kernel around_half
// EXPECT verdict race-free

tile_kernel void upper_quarter(float *restrict x, const int *restrict t)
{
    tile_unique(t);
    tile_contents(t, 1073741824, 2147483647);
    x[(unsigned)t[tile_bid(0)] * 2u] = 1.0f;
}
// EXPECT kernel upper_quarter
// EXPECT verdict race-free

tile_kernel void four_times(float *restrict x, const int *restrict t)
{
    tile_unique(t);
    tile_contents(t, 536870912, 2147483647);
    x[(unsigned)t[tile_bid(0)] * 4u] = 1.0f; // @four_times
}
// EXPECT kernel four_times
// EXPECT verdict race
// EXPECT TR001 @four_times @four_times
// EXPECT observable no

tile_kernel void halved_sum(float *restrict x, const unsigned *restrict t)
{
    tile_contents(t, 3221225472, 4294967295);
    x[(t[tile_bid(0)] + 1073741824u) / 2u] = 1.0f; // @halved_sum
}
// EXPECT kernel halved_sum
// EXPECT verdict race
// EXPECT TR001 @halved_sum @halved_sum
// EXPECT observable no

tile_kernel void from_half_on(float *restrict x, const unsigned *restrict t)
{
    tile_grid(8);
    tile_unique(t);
    tile_contents(t, 2147483640, 4294967295);
    x[t[tile_bid(0)] * 2u] = 1.0f; // @from_half_on
}
// EXPECT kernel from_half_on
// EXPECT verdict race
// EXPECT TR001 @from_half_on @from_half_on
// EXPECT observable no

tile_kernel void from_n(float *restrict x, const unsigned *restrict t, unsigned n)
{
    tile_assume(n >= 2147483648u);
    tile_unique(t);
    tile_contents(t, n, 4294967295);
    x[t[tile_bid(0)] * 2u] = 1.0f;
}
// EXPECT kernel from_n
// EXPECT verdict race-free

tile_kernel void by_index(float *restrict x, const int *restrict t)
{
    tile_grid(4);
    tile_unique(t);
    tile_contents(t, tile_index() * 536870912, tile_index() * 536870912 + 536870911);
    tile_extent(t, 4);
    x[(unsigned)t[tile_bid(0)] * 4u] = 1.0f; // @by_index
}
// EXPECT kernel by_index
// EXPECT verdict race
// EXPECT TR001 @by_index @by_index
// EXPECT observable no

/* An unsigned product beside an assert, or an index of a view, that only some tile blocks meet: a
 * launch in which none of them does need not keep what it asks of `n`, and there the product may
 * wrap, which is defined. */
#include <tile.h>

tile_kernel void by_an_entry(int *restrict x, const int *restrict t, unsigned n)
{
    unsigned b = tile_bid(0);
    if (t[b] > 0)
        tile_assert(n <= 999u);
    if (n > 0u)
        x[b * (n * 2u)] = 1; // @by_an_entry
}
// EXPECT kernel by_an_entry
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:launch no-wrap:race
// EXPECT TR001 @by_an_entry @by_an_entry

tile_kernel void by_block_nine(int *restrict x, unsigned n)
{
    unsigned b = tile_bid(0);
    if (b == 9u)
        tile_assert(n <= 999u);
    if (n > 0u)
        x[b * (n * 2u)] = 1; // @by_block_nine
}
// EXPECT kernel by_block_nine
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:launch no-wrap:race
// EXPECT TR001 @by_block_nine @by_block_nine

tile_kernel void scaled_and_back(int *restrict x, const int *restrict t, unsigned n)
{
    unsigned b = tile_bid(0);
    tile_assert(n >= 1u);
    if (t[b] > 0)
        tile_assert(n < 100u);
    x[b * n / n] = 1; // @scaled_and_back
}
// EXPECT kernel scaled_and_back
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:race
// EXPECT TR001 @scaled_and_back @scaled_and_back

tile_kernel void by_a_view(int *restrict x, const int *restrict y, const int *restrict t,
                           unsigned n)
{
    unsigned b = tile_bid(0);
    if (t[b] > 0)
        tile_print("%d", tile_load(tile_partition(tile_tensor(y, 64), 4), (int)(n / 2u)));
    if (n > 0u)
        x[b * (n * 2u)] = 1; // @by_a_view
}
// EXPECT kernel by_a_view
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires index-in-space:launch no-wrap:launch no-wrap:race
// EXPECT TR001 @by_a_view @by_a_view

/* Rows of signed products in the branch. */
tile_kernel void by_rows(int *restrict x, const int *restrict z, const int *restrict t, unsigned n)
{
    unsigned b = tile_bid(0);
    tile_assert(n >= 1u);
    if (t[b] > 0)
        tile_print("%d", z[(int)n * 8]);
    x[b * n / n] = 1; // @by_rows
}
// EXPECT kernel by_rows
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires kernel-assume:launch no-wrap:launch no-wrap:race
// EXPECT TR001 @by_rows @by_rows

/* Every tile block asserts it before it stores: no launch that breaks it stores at all. */
tile_kernel void by_all(int *restrict x, unsigned n)
{
    unsigned b = tile_bid(0);
    tile_assert(n >= 1u && n <= 999u && tile_grid_extent(0) <= 1000000);
    x[b * (n * 2u)] = 1;
}
// EXPECT kernel by_all
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch

/* In 64 bits nothing wraps. */
tile_kernel void in_64_bits(int *restrict x, const int *restrict t, unsigned n)
{
    unsigned long b = tile_bid(0);
    if (t[b] > 0)
        tile_assert(n <= 999u);
    if (n > 0u)
        x[b * (n * 2ul)] = 1;
}
// EXPECT kernel in_64_bits
// EXPECT verdict race-free
// EXPECT requires kernel-assume:launch

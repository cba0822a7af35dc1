/* Facts that together leave a parameter one value: the second one is not asked for, and the race
 * that it would exclude stays. */
#include <tile.h>

tile_kernel void asserted(float *restrict x, int s)
{
    tile_assert(s <= 16);
    tile_store_ptr(tile_pointers(x, tile_bid(0) * s + tile_iota(16)), 1.0f); // @asserted
}

tile_kernel void asserted_wider(float *restrict x, int s)
{
    tile_assert(s <= 17);
    tile_store_ptr(tile_pointers(x, tile_bid(0) * s + tile_iota(16)), 1.0f); // @wider
}

tile_kernel void by_another(float *restrict x, int s, int m)
{
    tile_assert(s <= m);
    tile_assert(m <= 16);
    tile_store_ptr(tile_pointers(x, tile_bid(0) * s + tile_iota(16)), 1.0f); // @another
}

tile_kernel void two_pairs(float *restrict x, float *restrict y, int s)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * s + tile_iota(16)), 1.0f); // @rows
    for (int i = 0; i < s; i++)
        y[b * 16 + i] = 1.0f; // @columns
}

tile_kernel void two_pairs_wider(float *restrict x, float *restrict y, int s)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * s + tile_iota(16)), 1.0f); // @wider_rows
    for (int i = 0; i < s; i++)
        y[b * 32 + i] = 1.0f; // @wider_columns
}

/* What a contract states makes no difference to what is asked beyond it. */
tile_kernel void stated(float *restrict x, int s)
{
    tile_assume(s <= 16);
    tile_store_ptr(tile_pointers(x, tile_bid(0) * s + tile_iota(16)), 1.0f); // @stated
}

// EXPECT kernel asserted
// EXPECT verdict race
// EXPECT TR001 @asserted @asserted
// EXPECT requires kernel-assume no-wrap in-bounds
// EXPECT observable no

// EXPECT kernel asserted_wider
// EXPECT verdict conditional
// EXPECT TR001 @wider @wider
// EXPECT requires kernel-assume in-bounds stride-relation:race

// EXPECT kernel by_another
// EXPECT verdict race
// EXPECT TR001 @another @another
// EXPECT requires kernel-assume no-wrap in-bounds
// EXPECT observable no

// EXPECT kernel two_pairs
// EXPECT verdict race
// EXPECT TR001 @columns @columns
// EXPECT requires no-wrap in-bounds stride-relation:race
// EXPECT observable no

// EXPECT kernel two_pairs_wider
// EXPECT verdict conditional
// EXPECT TR001 @wider_rows @wider_rows
// EXPECT TR001 @wider_columns @wider_columns
// EXPECT requires in-bounds stride-relation:race

// EXPECT kernel stated
// EXPECT verdict conditional
// EXPECT TR001 @stated @stated
// EXPECT requires in-bounds stride-relation:race

/* Stores that run by a value that wraps, and never without it. "It does not wrap" would say that
 * there are no such stores. */
#include <tile.h>

tile_kernel void by_sign(int *restrict x, unsigned u)
{
    tile_grid(2);
    int b = tile_bid(0);
    if ((int)(u * 1000000000u) < 0)
        x[0] = b; // @sign
}
// EXPECT kernel by_sign
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @sign @sign

tile_kernel void by_hash(int *restrict x, unsigned key)
{
    tile_grid(2);
    int b = tile_bid(0);
    if (key * 2654435761u == 7u)
        x[0] = b; // @hash
}
// EXPECT kernel by_hash
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @hash @hash

tile_kernel void by_far_sum(int *restrict x, unsigned u)
{
    tile_grid(2);
    int b = tile_bid(0);
    if ((int)(u / 2 + 1500000000u) < 0)
        x[0] = b; // @sum
}
// EXPECT kernel by_far_sum
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @sum @sum

tile_kernel void by_mask(int *restrict x, unsigned u)
{
    tile_grid(2);
    int b = tile_bid(0);
    tile e = tile_iota(4), far = tile_full((int)(u + 2147483600u), 4);
    tile_store_masked(tile_pointers(x, e), b, tile_lt(far, 0)); // @mask
}
// EXPECT kernel by_mask
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @mask @mask

tile_kernel void beside_another(int *restrict x, unsigned u)
{
    tile_grid(2);
    int b = tile_bid(0);
    x[b + 1] = b;
    if ((int)(u + 5u) < 0)
        x[0] = b; // @beside
}
// EXPECT kernel beside_another
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @beside @beside

/* Where the store runs without it, too, that nothing wraps is a precondition like others. */
tile_kernel void by_place(int *restrict x, const unsigned *restrict t)
{
    tile_grid(2);
    tile_unique(t);
    int b = tile_bid(0);
    x[2u * t[b]] = b; // @place
}
// EXPECT kernel by_place
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT TR001 @place @place
// EXPECT observable yes

tile_kernel void stays_small(int *restrict x, unsigned u)
{
    tile_grid(2);
    tile_assume(u < 1000);
    int b = tile_bid(0);
    if ((int)(u * 1000u) < 500)
        x[b] = b;
}
// EXPECT kernel stays_small
// EXPECT verdict race-free

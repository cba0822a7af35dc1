/* Segments of a table that are shared out in steps, a place for each: two blocks have no place in
 * common where the table's elements are multiples of the step. Tiles without a mask are another
 * matter: that the last one of a segment ends with it excuses the mask that is missing. */
#include <tile.h>

tile_kernel void owners(int *restrict owner, const int *restrict starts)
{
    int e = tile_bid(0);
    for (int t = starts[e]; t < starts[e + 1]; t += 16)
        owner[t / 16] = e; // @owners
}
// EXPECT kernel owners
// EXPECT verdict conditional
// EXPECT observable yes
// EXPECT requires contents-range:race increasing-contents:race
// EXPECT asks every element of 'starts' is at least 0 and a multiple of 16
// EXPECT asks the elements of 'starts' do not decrease
// EXPECT TR001 @owners @owners

/* The address has a choice by sign in it, or none. */
tile_kernel void quotients(int *restrict owner, const int *restrict starts)
{
    int e = tile_bid(0), n = (starts[e + 1] - starts[e] + 15) / 16;
    for (int t = 0; t < n; t++)
        owner[starts[e] / 16 + t] = e; // @quotients
}
// EXPECT kernel quotients
// EXPECT verdict conditional
// EXPECT observable yes
// EXPECT requires contents-range:race increasing-contents:race
// EXPECT TR001 @quotients @quotients

tile_kernel void promised_owners(int *restrict owner, const int *restrict starts)
{
    tile_increasing(starts);
    int e = tile_bid(0);
    for (int t = starts[e]; t < starts[e + 1]; t += 32)
        owner[t / 32] = e; // @promised_owners
}
// EXPECT kernel promised_owners
// EXPECT verdict conditional
// EXPECT observable yes
// EXPECT requires contents-range:race
// EXPECT asks every element of 'starts' is at least 0 and a multiple of 32
// EXPECT TR001 @promised_owners @promised_owners

tile_kernel void whole_tiles(float *restrict y, const int *restrict starts)
{
    int e = tile_bid(0);
    for (int t = starts[e]; t < starts[e + 1]; t += 16)
        tile_store_ptr(tile_pointers(y, tile_iota(16) + t), tile_zeros(float, 16)); // @tiles
}
// EXPECT kernel whole_tiles
// EXPECT verdict race
// EXPECT observable no
// EXPECT requires no-wrap:launch
// EXPECT TR001 @tiles @tiles

/* With a mask no more is asked than an order. */
tile_kernel void masked_tiles(float *restrict y, const int *restrict starts)
{
    int e = tile_bid(0);
    for (int t = starts[e]; t < starts[e + 1]; t += 16) {
        tile at = tile_iota(16) + t;
        tile_store_masked(tile_pointers(y, at), tile_zeros(float, 16), // @masked
                          tile_lt(at, starts[e + 1]));
    }
}
// EXPECT kernel masked_tiles
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires increasing-contents:race no-wrap:launch
// EXPECT TR001 @masked @masked

tile_kernel void all_promised(float *restrict y, const int *restrict starts)
{
    tile_increasing(starts);
    tile_contents(starts, 0, tile_value() / 32 * 32);
    int e = tile_bid(0);
    for (int t = starts[e]; t < starts[e + 1]; t += 32)
        tile_store_ptr(tile_pointers(y, tile_iota(32) + t), tile_zeros(float, 32));
}
// EXPECT kernel all_promised
// EXPECT verdict race-free

/* Twins: tiles wider than the step, and places coarser than it. */
tile_kernel void wider_tiles(float *restrict y, const int *restrict starts)
{
    int e = tile_bid(0);
    for (int t = starts[e]; t < starts[e + 1]; t += 16)
        tile_store_ptr(tile_pointers(y, tile_iota(32) + t), tile_zeros(float, 32)); // @wider
}
// EXPECT kernel wider_tiles
// EXPECT verdict race
// EXPECT observable no
// EXPECT requires no-wrap:launch
// EXPECT TR001 @wider @wider

tile_kernel void coarser_owners(int *restrict owner, const int *restrict starts)
{
    int e = tile_bid(0);
    for (int t = starts[e]; t < starts[e + 1]; t += 16)
        owner[t / 64] = e; // @coarser
}
// EXPECT kernel coarser_owners
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @coarser @coarser

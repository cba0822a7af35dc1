/* Unsigned parameters of 64 bits are passed from 2^63 on, too: what only such a launch reaches
 * races like anything else, and nothing is proved by leaving those launches out. */
#include <tile.h>

#define HALF 9223372036854775808ul

tile_kernel void read_as_signed(float *restrict x, unsigned long u)
{
    tile_grid(8);
    if ((long)u < 0)
        x[0] = tile_bid(0); // @read_as_signed
}
// EXPECT kernel read_as_signed
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @read_as_signed @read_as_signed

tile_kernel void counts_past_half(float *restrict x, unsigned long u, unsigned long v)
{
    tile_grid(8);
    for (unsigned long i = u; i < v; i += 1ul << 62)
        if ((long)i < 0)
            x[0] = tile_bid(0); // @counts_past_half
}
// EXPECT kernel counts_past_half
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @counts_past_half @counts_past_half

tile_kernel void highest_bit(float *restrict x, unsigned long u)
{
    tile_grid(8);
    if (u >> 63)
        x[0] = tile_bid(0); // @highest_bit
}
// EXPECT kernel highest_bit
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @highest_bit @highest_bit

tile_kernel void fourth_quarter(float *restrict x, unsigned long u)
{
    tile_grid(8);
    x[tile_bid(0) * (u / (HALF / 2) < 3)] = tile_bid(0); // @fourth_quarter
}
// EXPECT kernel fourth_quarter
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @fourth_quarter @fourth_quarter

tile_kernel void order_by_sign(float *restrict x, unsigned long u, unsigned long v)
{
    tile_grid(8);
    if (u < v && (long)u > (long)v)
        x[0] = tile_bid(0); // @order_by_sign
}
// EXPECT kernel order_by_sign
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @order_by_sign @order_by_sign

tile_kernel void stated_large(float *restrict x, unsigned long u)
{
    tile_grid(8);
    tile_assume(u >= HALF);
    x[u == HALF ? tile_bid(0) : 0] = tile_bid(0); // @stated_large
}
// EXPECT kernel stated_large
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @stated_large @stated_large

tile_kernel void largest_alone(float *restrict x, unsigned long u)
{
    tile_grid(8);
    if (u == ~0ul)
        x[0] = tile_bid(0); // @largest_alone
}
// EXPECT kernel largest_alone
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @largest_alone @largest_alone

tile_kernel void sum_that_wraps(float *restrict x, unsigned long u)
{
    tile_grid(8);
    if (u + u < u)
        x[0] = tile_bid(0); // @sum_that_wraps
}
// EXPECT kernel sum_that_wraps
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @sum_that_wraps @sum_that_wraps

/* Twins. */
tile_kernel void own_element(float *restrict x, unsigned long u)
{
    tile_grid(8);
    if ((long)u < 0)
        x[tile_bid(0)] = 1;
}
// EXPECT kernel own_element
// EXPECT verdict race-free

tile_kernel void own_row_by_bit(float *restrict x, unsigned long u)
{
    tile_grid(8);
    x[tile_bid(0) + 8 * (u >> 63)] = 1;
}
// EXPECT kernel own_row_by_bit
// EXPECT verdict race-free

tile_kernel void order_and_sign(float *restrict x, unsigned long u, unsigned long v)
{
    tile_grid(8);
    if (u < v && u >= HALF && (long)v >= 0)
        x[0] = 1;
    x[tile_bid(0)] = 1;
}
// EXPECT kernel order_and_sign
// EXPECT verdict race-free

tile_kernel void stated_small(float *restrict x, unsigned long u)
{
    tile_grid(8);
    tile_assume(u < HALF);
    if ((long)u < 0)
        x[0] = 1;
    x[tile_bid(0)] = 1;
}
// EXPECT kernel stated_small
// EXPECT verdict race-free

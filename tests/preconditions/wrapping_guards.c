/* Indices that begin again at 0 by block 65536, behind branches that parameters and tables decide:
 * some launch takes them, so a bound of the grid would only excuse the race. */
#include <tile.h>

tile_kernel void behind_a_parameter(int *restrict x, int n)
{
    unsigned b = tile_bid(0);
    if (n > 3)
        x[b * 65536u] = 1; // @parameter
}
// EXPECT kernel behind_a_parameter
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @parameter @parameter

tile_kernel void behind_one_element(int *restrict x, const int *restrict t)
{
    unsigned b = tile_bid(0);
    if (t[0] > 3)
        x[b * 65536u] = 1; // @one
}
// EXPECT kernel behind_one_element
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @one @one

tile_kernel void behind_elements_of_their_own(int *restrict x, const int *restrict t)
{
    unsigned b = tile_bid(0), i = b * 65536u;
    if (t[b] > 3 && b % 2u == 0u)
        x[i] = 1; // @own
}
// EXPECT kernel behind_elements_of_their_own
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @own @own

/* Offsets of a tile are signed: block 32768 is in front of the buffer before any two meet. */
tile_kernel void behind_a_mask(int *restrict x, int n)
{
    unsigned b = tile_bid(0);
    tile at = tile_add(tile_iota(4), b * 65536u), few = tile_lt(tile_iota(4), n);
    tile_store_masked(tile_pointers(x, at), tile_full(1, 4), few);
}
// EXPECT kernel behind_a_mask
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void of_one_block(int *restrict x, unsigned n)
{
    unsigned b = tile_bid(0);
    if (b == n)
        x[b * 65536u] = 1;
}
// EXPECT kernel of_one_block
// EXPECT verdict race-free

tile_kernel void of_the_first_blocks(int *restrict x, int n)
{
    unsigned b = tile_bid(0);
    if (n > 3 && b < 65536u)
        x[b * 65536u] = 1;
}
// EXPECT kernel of_the_first_blocks
// EXPECT verdict race-free

tile_kernel void never_taken(int *restrict x, int n)
{
    unsigned b = tile_bid(0);
    x[b + 7u] = 2;
    if (n > 3)
        if (n < 3)
            x[b * 65536u] = 1;
}
// EXPECT kernel never_taken
// EXPECT verdict race-free

tile_kernel void in_64_bits(int *restrict x, int n)
{
    unsigned long b = tile_bid(0);
    if (n > 3)
        x[b * 65536ul] = 1;
}
// EXPECT kernel in_64_bits
// EXPECT verdict race-free

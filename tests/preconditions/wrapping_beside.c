/* Unsigned products beside signed ones that only some launches make: such a launch need not keep
 * what the signed one asks for, and then the unsigned one wraps, which is defined. */
#include <tile.h>

tile_kernel void by_an_entry(int *restrict x, const int *restrict z, const int *restrict t,
                             unsigned n)
{
    unsigned b = tile_bid(0);
    if (t[b] > 0)
        tile_print("%d", z[(int)n * 8]);
    if (n > 0u)
        x[b * (n * 2u)] = 1; // @by_an_entry
}
// EXPECT kernel by_an_entry
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race no-wrap:launch
// EXPECT TR001 @by_an_entry @by_an_entry

tile_kernel void by_block_nine(int *restrict x, const int *restrict z, unsigned n)
{
    int b = tile_bid(0);
    if (b == 9)
        tile_print("%d", z[(int)n * 2]);
    if (n > 0u)
        x[(unsigned)b * (n * 2u)] = 1; // @by_block_nine
}
// EXPECT kernel by_block_nine
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race no-wrap:launch
// EXPECT TR001 @by_block_nine @by_block_nine

tile_kernel void in_a_loop(int *restrict x, const int *restrict z, const int *restrict t,
                           unsigned n)
{
    int b = tile_bid(0);
    for (int i = 0; i < t[b]; i++)
        tile_print("%d", z[(int)n * 2]);
    if (n > 0u)
        x[(unsigned)b * (n * 2u)] = 1; // @in_a_loop
}
// EXPECT kernel in_a_loop
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race no-wrap:launch
// EXPECT TR001 @in_a_loop @in_a_loop

/* Both ask for the same of `n`. */
tile_kernel void the_same(int *restrict x, const int *restrict z, const int *restrict t, int n)
{
    tile_assume(n >= 1);
    int b = tile_bid(0);
    if (t[b] > 0)
        tile_print("%d", z[n * 4]);
    x[(unsigned)b * ((unsigned)n * 8u)] = 1; // @the_same
}
// EXPECT kernel the_same
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race no-wrap:launch
// EXPECT TR001 @the_same @the_same

/* Each block makes the signed product, so that no launch in which the other wraps is defined. */
tile_kernel void in_every_block(int *restrict x, const int *restrict z, int n)
{
    tile_assume(n >= 1);
    int b = tile_bid(0);
    tile_print("%d", z[n * 8]);
    x[(unsigned)b * ((unsigned)n * 8u)] = 1;
}
// EXPECT kernel in_every_block
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

/* Where `n * 2` wraps, some block lies beyond 2^31 bytes. */
tile_kernel void far_apart(int *restrict x, const int *restrict z, const int *restrict t, int n)
{
    tile_assume(n >= 1);
    int b = tile_bid(0);
    if (t[b] > 0)
        tile_print("%d", z[n * 2]);
    x[(unsigned)b * ((unsigned)n * 2u)] = 1;
}
// EXPECT kernel far_apart
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

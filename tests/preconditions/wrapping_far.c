/* Values of 32 bits that wrap only in a grid of thousands of tile blocks: the first block that
 * meets block 0 is the 4,097th and later ones, and the whole launch is run to see that it is
 * defined. In 64 bits they do not wrap. */
#include <tile.h>

tile_kernel void each_4096th(int *restrict x, unsigned n)
{
    tile_assume(n >= 1u);
    unsigned b = tile_bid(0);
    if (b % 4096u == 0u)
        x[b * n] = 1; // @each_4096th
}
// EXPECT kernel each_4096th
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race
// EXPECT TR001 @each_4096th @each_4096th

tile_kernel void each_65536th(char *restrict x, unsigned n)
{
    tile_assume(n >= 1u);
    unsigned b = tile_bid(0);
    if (b % 65536u == 0u)
        x[b * n] = 1; // @each_65536th
}
// EXPECT kernel each_65536th
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race
// EXPECT TR001 @each_65536th @each_65536th

/* One of two strides, of which one wraps. */
tile_kernel void one_of_two(int *restrict x, unsigned n)
{
    tile_assume(n == 65536u * 8u || n == 1u);
    unsigned b = tile_bid(0);
    if (b % 8192u == 0u)
        x[b * n] = 1; // @one_of_two
}
// EXPECT kernel one_of_two
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race
// EXPECT TR001 @one_of_two @one_of_two

tile_kernel void in_64_bits(int *restrict x, unsigned n)
{
    tile_assume(n >= 1u);
    unsigned b = tile_bid(0);
    if (b % 4096u == 0u)
        x[(unsigned long)b * n] = 1;
}
// EXPECT kernel in_64_bits
// EXPECT verdict race-free

/* No launch has so many blocks. */
tile_kernel void never_so_far(int *restrict x, unsigned n)
{
    tile_grid(65536);
    tile_assume(n >= 1u && n <= 65535u);
    unsigned b = tile_bid(0);
    if (b % 4096u == 0u)
        x[b * n] = 1;
}
// EXPECT kernel never_so_far
// EXPECT verdict race-free

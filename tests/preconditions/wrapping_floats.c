/* Indices that begin again at 0 by block 65536, behind floats: no run knows elements so far behind,
 * which is no proof that both blocks never store. */
#include <tile.h>

tile_kernel void behind_a_float_of_its_own(int *restrict x, const float *restrict f)
{
    unsigned b = tile_bid(0);
    if (f[b] > 0.5f)
        x[b * 65536u] = 1; // @own
}
// EXPECT kernel behind_a_float_of_its_own
// EXPECT verdict unknown
// EXPECT reason unreplayed-witness
// EXPECT TR001 @own @own possible

tile_kernel void behind_one_float(int *restrict x, const float *restrict f)
{
    unsigned b = tile_bid(0);
    if (f[0] > 0.5f)
        x[b * 65536u] = 1; // @one
}
// EXPECT kernel behind_one_float
// EXPECT verdict race
// EXPECT observable no
// EXPECT TR001 @one @one

tile_kernel void of_one_block(int *restrict x, const float *restrict f, unsigned n)
{
    unsigned b = tile_bid(0);
    if (f[b] > 0.5f && b == n)
        x[b * 65536u] = 1;
}
// EXPECT kernel of_one_block
// EXPECT verdict race-free

tile_kernel void of_few_blocks(int *restrict x, const float *restrict f)
{
    unsigned b = tile_bid(0);
    if (f[b] > 0.5f && b < 60000u)
        x[b * 65536u] = 1;
}
// EXPECT kernel of_few_blocks
// EXPECT verdict race-free

tile_kernel void in_64_bits(int *restrict x, const float *restrict f)
{
    unsigned long b = tile_bid(0);
    if (f[b] > 0.5f)
        x[b * 65536ul] = 1;
}
// EXPECT kernel in_64_bits
// EXPECT verdict race-free

tile_kernel void behind_a_converted_float(int *restrict x, const float *restrict f)
{
    unsigned b = tile_bid(0);
    if ((int)f[b] > 0)
        x[b * 65536u] = 1; // @converted
}
// EXPECT kernel behind_a_converted_float
// EXPECT verdict unknown
// EXPECT reason unreplayed-witness
// EXPECT TR001 @converted @converted possible

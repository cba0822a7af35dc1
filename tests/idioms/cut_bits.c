/* Patterns of bits that are cut to a narrow type: what is cut off is lost, and nothing else. */
#include <tile.h>

tile_kernel void flipped(int *restrict x)
{
    tile_grid(256);
    int b = tile_bid(0);
    x[(unsigned char)(b ^ 85)] = b;
}
// EXPECT kernel flipped
// EXPECT verdict race-free

tile_kernel void flipped_far(int *restrict x)
{
    tile_grid(257);
    int b = tile_bid(0);
    x[(unsigned char)(b ^ 85)] = b; // @flipped_far
}
// EXPECT kernel flipped_far
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @flipped_far @flipped_far

tile_kernel void turned(int *restrict x)
{
    tile_grid(256);
    int b = tile_bid(0);
    x[(unsigned char)(b << 4 | b >> 4)] = b;
}
// EXPECT kernel turned
// EXPECT verdict race-free

tile_kernel void turned_too_far(int *restrict x, const unsigned char *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned char)(t[b] << 4 | t[b] >> 5)] = b; // @turned
}
// EXPECT kernel turned_too_far
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @turned @turned

tile_kernel void flipped_elements(int *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] ^ 21845)] = b; // @elements
}
// EXPECT kernel flipped_elements
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @elements @elements

tile_kernel void shifted_with_a_bit(int *restrict x, const unsigned short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(unsigned short)(t[b] << 3 | 1)] = b; // @shifted
}
// EXPECT kernel shifted_with_a_bit
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @shifted @shifted

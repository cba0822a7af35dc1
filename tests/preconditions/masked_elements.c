/* Masks that drop the sign of an element: that elements have none would excuse them. */
#include <tile.h>

tile_kernel void bytes(int *restrict x, const signed char *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[t[b] & 127] = b; // @bytes
}
// EXPECT kernel bytes
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @bytes @bytes

tile_kernel void words(int *restrict x, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[t[b] & 0x7fffffff] = b; // @words
}
// EXPECT kernel words
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @words @words

tile_kernel void moved(int *restrict x, const signed char *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(t[b] - 3) & 127] = b; // @moved
}
// EXPECT kernel moved
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @moved @moved

tile_kernel void in_fours(int *restrict x, const short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(t[b] & 32767) * 4] = b; // @in_fours
}
// EXPECT kernel in_fours
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @in_fours @in_fours

/* -1 and 32767 are one. */
tile_kernel void guarded_badly(int *restrict x, const short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    if (t[b] >= -1)
        x[t[b] & 32767] = b; // @guarded_badly
}
// EXPECT kernel guarded_badly
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @guarded_badly @guarded_badly

tile_kernel void guarded(int *restrict x, const short *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    if (t[b] >= 0)
        x[t[b] & 32767] = b;
}
// EXPECT kernel guarded
// EXPECT verdict race-free

tile_kernel void stated(int *restrict x, const signed char *restrict t)
{
    tile_unique(t);
    tile_contents(t, 0, 127);
    int b = tile_bid(0);
    x[t[b] & 127] = b;
}
// EXPECT kernel stated
// EXPECT verdict race-free

tile_kernel void all_bits(int *restrict x, const signed char *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[t[b] & 255] = b;
}
// EXPECT kernel all_bits
// EXPECT verdict race-free

tile_kernel void rows(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    x[(t[b] & 15) + 16 * b] = b;
}
// EXPECT kernel rows
// EXPECT verdict race-free

/* A multiple that leaves its type is asked not to, be the element signed or not. */
tile_kernel void doubled(int *restrict x, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[2u * (unsigned)(t[b] - 3)] = b; // @doubled
}
// EXPECT kernel doubled
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT TR001 @doubled @doubled

/* Negative elements alone get here: that there are none is nothing to ask. */
tile_kernel void guarded_negative(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    if (t[b] < -3)
        x[(t[b] & 15) / 2] = b; // @guarded_negative
}
// EXPECT kernel guarded_negative
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @guarded_negative @guarded_negative

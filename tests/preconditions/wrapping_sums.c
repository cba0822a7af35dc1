/* Unsigned numbers that begin where the launch says, and move by the number of blocks: behind
 * 2^32 - 1 comes 0, and 2^32 is no multiple of twelve. A launch that begins near that end is short
 * and lies in its buffer. */
#include <tile.h>

/* What a loop carries. */
tile_kernel void carried(int *restrict y, unsigned from, int n)
{
    tile_grid(12);
    unsigned t = from + (unsigned)tile_bid(0);
    for (int i = 0; i < n; i++) {
        y[t % 12] = 1; // @carried
        t += 12;
    }
}
// EXPECT kernel carried
// EXPECT verdict conditional
// EXPECT TR001 @carried @carried
// EXPECT observable no
// EXPECT requires no-wrap:launch no-wrap:race

/* Made of the loop's counter. */
tile_kernel void counted(int *restrict y, unsigned from, int n)
{
    tile_grid(12);
    for (int i = 0; i < n; i++)
        y[(from + (unsigned)tile_bid(0) + 12u * (unsigned)i) % 12u] = 1; // @counted
}
// EXPECT kernel counted
// EXPECT verdict conditional
// EXPECT TR001 @counted @counted
// EXPECT observable no
// EXPECT requires no-wrap:launch no-wrap:launch no-wrap:race

/* 2^32 is a multiple of 16. */
tile_kernel void of_sixteen(int *restrict y, unsigned from, int n)
{
    tile_grid(16);
    unsigned t = from + (unsigned)tile_bid(0);
    for (int i = 0; i < n; i++) {
        y[t % 16] = 1;
        t += 16;
    }
}
// EXPECT kernel of_sixteen
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch no-wrap:launch

/* Tables of unsigned elements that do not decrease: their order is that of unsigned numbers, also
 * beyond the signed half. */
#include <tile.h>

#define BEYOND 0x80000000u
#define LAUNCH                                                                                     \
    tile_grid(8);                                                                                  \
    tile_extent(x, 64);                                                                            \
    tile_extent(t, 8);                                                                             \
    tile_increasing(t);                                                                            \
    int b = tile_bid(0)

/* Entries 1 and 2 may both lie beyond the half, entry 0 below it. */
tile_kernel void crosses(float *restrict x, const unsigned *restrict t)
{
    LAUNCH;
    if (t[b] >= BEYOND && t[0] < BEYOND)
        x[0] = 1.0f; // @crosses
}
// EXPECT kernel crosses
// EXPECT verdict race
// EXPECT TR001 @crosses @crosses
// EXPECT observable no

tile_kernel void crosses_as_stated(float *restrict x, const unsigned *restrict t)
{
    tile_contents(t, 0, 4294967295u);
    LAUNCH;
    if (t[b] >= BEYOND && t[0] < BEYOND)
        x[0] = 1.0f; // @stated
}
// EXPECT kernel crosses_as_stated
// EXPECT verdict race
// EXPECT TR001 @stated @stated
// EXPECT observable no

tile_kernel void crosses_bytes(float *restrict x, const unsigned char *restrict t)
{
    LAUNCH;
    if (t[b] >= 128 && t[0] < 128)
        x[0] = 1.0f; // @bytes
}
// EXPECT kernel crosses_bytes
// EXPECT verdict race
// EXPECT TR001 @bytes @bytes
// EXPECT observable no

/* No entry of a table that does not decrease is below the first one. */
tile_kernel void falls(float *restrict x, const unsigned *restrict t)
{
    LAUNCH;
    if (t[b] < BEYOND && t[0] >= BEYOND)
        x[0] = 1.0f;
    else
        x[b + 1] = 1.0f;
}
// EXPECT kernel falls
// EXPECT verdict race-free

tile_kernel void falls_signed(float *restrict x, const int *restrict t)
{
    LAUNCH;
    if (t[b] < 0 && t[0] >= 0)
        x[0] = 1.0f;
    else
        x[b + 1] = 1.0f;
}
// EXPECT kernel falls_signed
// EXPECT verdict race-free

tile_kernel void rises_signed(float *restrict x, const int *restrict t)
{
    LAUNCH;
    if (t[b] >= 0 && t[0] < 0)
        x[0] = 1.0f; // @rises
}
// EXPECT kernel rises_signed
// EXPECT verdict race
// EXPECT TR001 @rises @rises
// EXPECT observable no

/* Pitches that the launch chooses. A launch that always comes to one side of the choice is not what
 * its author wrote it for. */
#include <tile.h>

tile_kernel void least(float *restrict x, int n)
{
    int c = tile_bid(0);
    if (c < n)
        x[c + tile_bid(1) * tile_min(n, 8)] = 1.0f; // @least
}

tile_kernel void least_of_two(float *restrict x, int n, int m)
{
    int c = tile_bid(0);
    if (c < n)
        x[c + tile_bid(1) * tile_min(n, m)] = 1.0f; // @two
}

tile_kernel void flag(float *restrict x, int n, int by_rows)
{
    int c = tile_bid(0);
    if (c < n)
        x[c + tile_bid(1) * (by_rows ? n : 1)] = 1.0f; // @flag
}

tile_kernel void remainder(float *restrict x, int n)
{
    tile_assume(n > 0);
    int c = tile_bid(0);
    if (c < n)
        x[c + tile_bid(1) * (n % 8)] = 1.0f; // @remainder
}

tile_kernel void byte(float *restrict x, int n)
{
    tile_assume(n > 0);
    int c = tile_bid(0);
    if (c < n)
        x[c + tile_bid(1) * (unsigned char)n] = 1.0f; // @byte
}

tile_kernel void greatest(float *restrict x, int n)
{
    x[tile_bid(0) + tile_bid(1) * tile_max(n, 8)] = 1.0f; // @greatest
}

/* Each side of the choice may have to fit. */
tile_kernel void either(float *restrict x, int n, int pitch, int other, int flagged)
{
    int c = tile_bid(0);
    if (c < n)
        x[c + tile_bid(1) * (flagged ? pitch : other)] = 1.0f; // @either
}

/* As many columns as the pitch has, whatever was chosen. */
tile_kernel void as_chosen(float *restrict x, int n)
{
    int c = tile_bid(0), pitch = tile_min(n, 8);
    if (c < pitch)
        x[c + tile_bid(1) * pitch] = 1.0f;
}

tile_kernel void rounded_down(float *restrict x, int n)
{
    tile_assume(n > 0);
    int c = tile_bid(0);
    if (c < n)
        x[c + tile_bid(1) * (n / 8 * 8)] = 1.0f; // @rounded
}

/* `max(n, 8)` columns in rows of `n`. */
tile_kernel void at_least(float *restrict x, int n)
{
    tile_assume(n > 0);
    for (int i = 0; i < tile_max(n, 8); i++)
        x[tile_bid(0) * n + i] = 1.0f; // @at_least
}

tile_kernel void at_least_of_pitch(float *restrict x, int n, int pitch)
{
    tile_assume(n > 0);
    for (int i = 0; i < tile_max(n, 8); i++)
        x[tile_bid(0) * pitch + i] = 1.0f; // @of_pitch
}

// EXPECT kernel least
// EXPECT verdict race
// EXPECT TR001 @least @least
// EXPECT observable no

// EXPECT kernel least_of_two
// EXPECT verdict race
// EXPECT TR001 @two @two
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel flag
// EXPECT verdict race
// EXPECT TR001 @flag @flag
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel remainder
// EXPECT verdict race
// EXPECT TR001 @remainder @remainder
// EXPECT observable no

// EXPECT kernel byte
// EXPECT verdict race
// EXPECT TR001 @byte @byte
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel greatest
// EXPECT verdict conditional
// EXPECT TR001 @greatest @greatest
// EXPECT requires no-wrap:launch grid-bound:race

// EXPECT kernel either
// EXPECT verdict conditional
// EXPECT TR001 @either @either
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel as_chosen
// EXPECT verdict race-free

// EXPECT kernel rounded_down
// EXPECT verdict conditional
// EXPECT TR001 @rounded @rounded
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel at_least
// EXPECT verdict race
// EXPECT TR001 @at_least @at_least
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel at_least_of_pitch
// EXPECT verdict conditional
// EXPECT TR001 @of_pitch @of_pitch
// EXPECT requires no-wrap:launch stride-relation:race

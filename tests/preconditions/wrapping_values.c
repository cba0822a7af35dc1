/* Arithmetic that may wrap by definition: where two blocks meet in their buffers by a value that
 * wraps, that it does not is no error of the launch, and the race is shown. */
#include <tile.h>

tile_kernel void doubled(float *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    x[t[tile_bid(0)] * 2u] = 1.0f; // @doubled
}
// EXPECT kernel doubled
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race
// EXPECT TR001 @doubled @doubled

tile_kernel void doubled_small(float *restrict x, const unsigned *restrict t)
{
    tile_unique(t);
    tile_contents(t, 0, 1 << 20);
    x[t[tile_bid(0)] * 2u] = 1.0f;
}
// EXPECT kernel doubled_small
// EXPECT verdict race-free

tile_kernel void pitch(float *restrict x, unsigned n)
{
    x[tile_bid(0) * n * 2u] = 1.0f; // @pitch
}
// EXPECT kernel pitch
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race stride-relation:race
// EXPECT TR001 @pitch @pitch
// EXPECT TR001 @pitch @pitch

tile_kernel void two_sizes(float *restrict x, unsigned n, unsigned m)
{
    unsigned b = tile_bid(0);
    if (n >= 1 && m >= 1)
        x[b * n * m] = 1.0f; // @two_sizes
}
// EXPECT kernel two_sizes
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race
// EXPECT TR001 @two_sizes @two_sizes

tile_kernel void read_as_signed(float *restrict x, unsigned n)
{
    tile_grid(5);
    unsigned d = (n - (unsigned)tile_bid(0)) % 8u;
    x[n > 2147483647u ? 0u : d] = 1.0f; // @read_as_signed
}
// EXPECT kernel read_as_signed
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires no-wrap:race
// EXPECT TR001 @read_as_signed @read_as_signed

/* The first value that wraps is that of a block behind others whose rows fill the type. */
tile_kernel void rows(float *restrict x, int n)
{
    tile_assume(n >= 1);
    int b = tile_bid(0);
    x[(unsigned)b * (unsigned)n] = 1.0f;
}
// EXPECT kernel rows
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void rows_of_elements(float *restrict x, unsigned n)
{
    unsigned b = tile_bid(0);
    for (unsigned i = 0; i < n; i++)
        x[b * n + i] = 1.0f;
}
// EXPECT kernel rows_of_elements
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

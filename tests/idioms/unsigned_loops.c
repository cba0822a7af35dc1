/* What a loop counts with unsigned numbers, read as a signed one: from 2^31 on it is negative. */
#include <tile.h>

enum { FAR = 1000000000 };

tile_kernel void negative_counts(int *restrict x)
{
    tile_grid(2);
    int b = tile_bid(0);
    for (unsigned i = 0; i < 4000000000u; i += FAR)
        if ((int)i < 0)
            x[0] = b; // @counts
}
// EXPECT kernel negative_counts
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @counts @counts

tile_kernel void negative_halves(int *restrict x)
{
    tile_grid(2);
    int b = tile_bid(0);
    for (unsigned i = 0; i < 4000000000u; i += FAR)
        if ((int)i / 2 < 0)
            x[0] = b; // @halves
}
// EXPECT kernel negative_halves
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @halves @halves

tile_kernel void sign_bits(int *restrict x)
{
    tile_grid(2);
    int b = tile_bid(0);
    for (unsigned i = 0; i < 4000000000u; i += FAR)
        if ((int)i >> 31 == -1)
            x[0] = b; // @bits
}
// EXPECT kernel sign_bits
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @bits @bits

tile_kernel void widened_counts(int *restrict x)
{
    tile_grid(2);
    int b = tile_bid(0);
    for (unsigned i = 0; i < 4000000000u; i += FAR) {
        long wide = (int)i;
        if (wide < 0)
            x[0] = b; // @widened
    }
}
// EXPECT kernel widened_counts
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @widened @widened

tile_kernel void long_counts(int *restrict x)
{
    tile_grid(2);
    int b = tile_bid(0);
    for (unsigned long i = 0; i < 16000000000000000000ul; i += 4000000000000000000ul)
        if (tile_min((long)i, 0l) != 0)
            x[0] = b; // @long
}
// EXPECT kernel long_counts
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @long @long

tile_kernel void counts_from_far(int *restrict x, unsigned from, unsigned to)
{
    tile_grid(2);
    tile_assume(from == 2147483646u && to == 2147483650u);
    int b = tile_bid(0);
    for (unsigned i = from; i < to; i++)
        if ((int)i < 0)
            x[0] = b; // @far
}
// EXPECT kernel counts_from_far
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @far @far

/* That is read as an unsigned number it is what it is. */
tile_kernel void unsigned_counts(int *restrict x)
{
    tile_grid(2);
    int b = tile_bid(0);
    for (unsigned i = 0; i < 4000000000u; i += FAR)
        x[2u * (i / FAR) + (unsigned)b] = b;
}
// EXPECT kernel unsigned_counts
// EXPECT verdict race-free

tile_kernel void strided_counts(int *restrict x, unsigned n, unsigned s)
{
    tile_grid(s);
    for (unsigned i = (unsigned)tile_bid(0); i < n; i += s)
        x[i] = 1;
}
// EXPECT kernel strided_counts
// EXPECT verdict race-free

/* Signed arithmetic on it asks for numbers that are not negative, as on any unsigned sum. */
tile_kernel void signed_lanes(int *restrict x, unsigned n)
{
    unsigned step = 64u * (unsigned)tile_grid_extent(0);
    for (unsigned i = 64u * (unsigned)tile_bid(0); i < n; i += step) {
        tile e = tile_iota(64) + (int)i;
        tile_store_masked(tile_pointers(x, e), 1, tile_lt(e, (int)n));
    }
}
// EXPECT kernel signed_lanes
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

tile_kernel void stated_lanes(int *restrict x, unsigned n)
{
    tile_grid(512);
    tile_assume(n <= 1u << 20);
    for (unsigned i = 64u * (unsigned)tile_bid(0); i < n; i += 64u * 512u) {
        tile e = tile_iota(64) + (int)i;
        tile_store_masked(tile_pointers(x, e), 1, tile_lt(e, (int)n));
    }
}
// EXPECT kernel stated_lanes
// EXPECT verdict race-free

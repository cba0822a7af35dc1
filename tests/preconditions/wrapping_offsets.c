/* Block 256 goes where block 0 goes, because 256 * 2^24 is 0 in 32 bits: also where a parameter or
 * a table is in the address. */
#include <tile.h>

tile_kernel void offset(int *x, unsigned n)
{
    tile_assume(n < 8);
    unsigned b = tile_bid(0);
    x[b * 16777216u + n] = 1; // @offset
}

tile_kernel void chosen(int *x, int n)
{
    unsigned b = tile_bid(0), i = b;
    if (n > 3)
        i = b * 16777216u;
    x[i] = 1; // @chosen
}

tile_kernel void chosen_by_table(int *restrict x, const int *restrict t)
{
    unsigned b = tile_bid(0);
    x[t[0] > 3 ? b * 16777216u : b] = 1; // @table
}

tile_kernel void counted(int *x, unsigned n)
{
    unsigned b = tile_bid(0);
    for (unsigned i = 0; i < n; i++)
        x[b * 16777216u + i] = 1; // @counted
}

tile_kernel void flipped(int *x, unsigned n)
{
    unsigned b = tile_bid(0);
    x[b * 16777216u ^ (n & 7u)] = 1; // @flipped
}

tile_kernel void two_apart(int *x, unsigned n)
{
    tile_assume(n < 8);
    unsigned b = tile_bid(0);
    x[b * 2147483648u + n] = 1; // @apart
}

/* Twins: a grid that ends before values begin again, and 64 bits, in which none do. */
tile_kernel void small_grid(int *x, unsigned n)
{
    tile_grid(256);
    tile_assume(n < 8);
    unsigned b = tile_bid(0);
    x[b * 16777216u + n] = 1;
}

tile_kernel void long_offset(int *x, unsigned n)
{
    tile_assume(n < 8);
    x[(long)tile_bid(0) * 16777216 + n] = 1;
}

// EXPECT kernel offset
// EXPECT verdict race
// EXPECT TR001 @offset @offset
// EXPECT observable no

// EXPECT kernel chosen
// EXPECT verdict race
// EXPECT TR001 @chosen @chosen
// EXPECT observable no

// EXPECT kernel chosen_by_table
// EXPECT verdict race
// EXPECT TR001 @table @table
// EXPECT observable no

// EXPECT kernel counted
// EXPECT verdict race
// EXPECT TR001 @counted @counted
// EXPECT observable no
// EXPECT requires no-wrap:launch

// EXPECT kernel flipped
// EXPECT verdict race
// EXPECT TR001 @flipped @flipped
// EXPECT observable no

// EXPECT kernel two_apart
// EXPECT verdict race
// EXPECT TR001 @apart @apart
// EXPECT observable no

// EXPECT kernel small_grid
// EXPECT verdict race-free

// EXPECT kernel long_offset
// EXPECT verdict race-free

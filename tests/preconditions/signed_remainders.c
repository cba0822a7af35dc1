/* Remainders of what is looked up, multiplied, divided or moved before. Where it is negative the
 * remainder is, too, and meets the places of the block in front; only elements from some number on,
 * or up to one, keep to the block's own. */
#include <tile.h>

tile_kernel void doubled(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    x[(2 * t[b] - 3) % 16 + 16 * b] = b; // @doubled
}
// EXPECT kernel doubled
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 2 and below 1073741824
// EXPECT TR001 @doubled @doubled

tile_kernel void tripled(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    x[(3 * t[b] - 4) % 16 + 16 * b] = b; // @tripled
}
// EXPECT kernel tripled
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 2 and below 715827883
// EXPECT TR001 @tripled @tripled

tile_kernel void subtracted(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    x[(5 - 2 * t[b]) % 16 + 16 * b] = b; // @subtracted
}
// EXPECT kernel subtracted
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least -1073741821 and below 3
// EXPECT TR001 @subtracted @subtracted

tile_kernel void divided(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    x[(t[b] / 4 - 3) % 16 + 16 * b] = b; // @divided
}
// EXPECT kernel divided
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 12
// EXPECT TR001 @divided @divided

/* -1 / 2 is 0 in C. */
tile_kernel void divided_after(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    x[(2 * t[b] - 3) / 2 % 8 + 8 * b] = b; // @divided_after
}
// EXPECT kernel divided_after
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 1 and below 1073741824
// EXPECT TR001 @divided_after @divided_after

tile_kernel void two_tables(int *restrict x, const int *restrict t, const int *restrict u)
{
    int b = tile_bid(0);
    x[(2 * t[b] - 3) % 16 + 16 * ((3 * u[b] - 2) % 4) + 64 * b] = b; // @two_tables
}
// EXPECT kernel two_tables
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 2 and below 1073741824
// EXPECT asks every element of 'u' is at least 1 and below 715827883
// EXPECT TR001 @two_tables @two_tables

tile_kernel void by_iterations(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++)
        x[(2 * t[b] - 3 + i) % 16 + 16 * b] = b; // @by_iterations
}
// EXPECT kernel by_iterations
// EXPECT verdict conditional
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 2 and below 1073741824
// EXPECT TR001 @by_iterations @by_iterations

tile_kernel void stated(int *restrict x, const int *restrict t)
{
    tile_contents(t, 2, 1000);
    int b = tile_bid(0);
    x[(2 * t[b] - 3) % 16 + 16 * b] = b;
}
// EXPECT kernel stated
// EXPECT verdict race-free

/* The mistake is the 17, to whose last place elements below 16 do not come. */
tile_kernel void one_too_many(int *restrict x, const int *restrict t)
{
    int b = tile_bid(0);
    x[(2 * t[b] - 3) % 17 + 16 * b] = b; // @one_too_many
}
// EXPECT kernel one_too_many
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires contents-range:launch
// EXPECT TR001 @one_too_many @one_too_many

/* Rows of the block's own are missing. */
tile_kernel void one_row(int *restrict x, const int *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    x[(2 * t[b] - 3) % 16] = b; // @one_row
}
// EXPECT kernel one_row
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires contents-range:launch
// EXPECT TR001 @one_row @one_row

/* Segments between neighbours of a table that does not decrease. Where each tile block asserts that
 * of its own neighbours, as one does that slices an array by them, a launch whose elements decrease
 * is undefined, and no race. */
#include <tile.h>

tile_kernel void asserted(int *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    tile_assert(t[b] <= t[b + 1]);
    for (int i = t[b]; i < t[b + 1]; i++)
        y[i] = b;
}
// EXPECT kernel asserted
// EXPECT verdict race-free
// EXPECT requires increasing-contents:launch

tile_kernel void asserted_on_the_second_axis(int *restrict y, const int *restrict t)
{
    int b = tile_bid(1);
    tile_assert(t[b + 1] - t[b] >= 0);
    int i = t[b] + tile_bid(0);
    if (i < t[b + 1])
        y[i] = b;
}
// EXPECT kernel asserted_on_the_second_axis
// EXPECT verdict race-free
// EXPECT requires contents-range:launch increasing-contents:launch no-wrap:launch

tile_kernel void not_asserted(int *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    for (int i = t[b]; i < t[b + 1]; i++)
        y[i] = b; // @not_asserted
}
// EXPECT kernel not_asserted
// EXPECT verdict conditional
// EXPECT observable yes
// EXPECT requires increasing-contents:race
// EXPECT TR001 @not_asserted @not_asserted

/* Blocks that the branch leaves out go over a segment all the same. */
tile_kernel void asserted_by_some(int *restrict y, const int *restrict t, const int *restrict s)
{
    int b = tile_bid(0);
    if (s[b] > 0)
        tile_assert(t[b] <= t[b + 1]);
    for (int i = t[b]; i < t[b + 1]; i++)
        y[i] = b; // @some
}
// EXPECT kernel asserted_by_some
// EXPECT verdict conditional
// EXPECT observable yes
// EXPECT requires increasing-contents:race
// EXPECT TR001 @some @some

/* The first three elements may be 0, 5, 2, which is a race that no launch was found to show. */
tile_kernel void asserted_of_others(int *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    tile_assert(t[b + 2] <= t[b + 3]);
    for (int i = t[b]; i < t[b + 1]; i++)
        y[i] = b;
}
// EXPECT kernel asserted_of_others
// EXPECT verdict unknown
// EXPECT reason unreplayed-witness
// EXPECT requires increasing-contents:race

tile_kernel void asserted_of_another(int *restrict y, const int *restrict t, const int *restrict u)
{
    int b = tile_bid(0);
    tile_assert(u[b] <= u[b + 1]);
    for (int i = t[b]; i < t[b + 1]; i++)
        y[i] = b; // @another
}
// EXPECT kernel asserted_of_another
// EXPECT verdict conditional
// EXPECT observable yes
// EXPECT requires increasing-contents:race kernel-assume:launch
// EXPECT TR001 @another @another

/* The segments of every second block are not those that the blocks assert something of. */
tile_kernel void every_second(int *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    tile_assert(t[b] <= t[b + 1]);
    for (int i = t[2 * b]; i < t[2 * b + 2]; i++)
        y[i] = b; // @second
}
// EXPECT kernel every_second
// EXPECT verdict conditional
// EXPECT observable yes
// EXPECT requires increasing-contents:race
// EXPECT TR001 @second @second

/* That no index is negative is what a table of indices is passed for. Where it is subtracted from
 * the start of a buffer that would leave zeros alone, which nobody passes: the race stays. */
#include <tile.h>

tile_kernel void from_the_start(float *restrict x, const int *restrict u)
{
    int b = tile_bid(0);
    if (b == 0)
        x[-u[b]] = 2.0f; // @negated
    else
        x[b] = 1.0f; // @plain
}
// EXPECT kernel from_the_start
// EXPECT verdict race
// EXPECT TR001 @negated @plain
// EXPECT requires contents-range:launch
// EXPECT observable yes

/* Different numbers that are all 0 are not even possible. */
tile_kernel void behind_a_row(float *restrict x, const int *restrict u, int n)
{
    tile_unique(u);
    int b = tile_bid(0);
    if (b < n)
        x[n - b] = 1.0f; // @row
    x[-u[b]] = 2.0f;     // @behind
}
// EXPECT kernel behind_a_row
// EXPECT verdict race
// EXPECT TR001 @row @behind
// EXPECT requires contents-range:launch
// EXPECT observable yes

tile_kernel void from_a_number(float *restrict x, const int *restrict u, int n)
{
    tile_assume(n <= 0);
    int b = tile_bid(0);
    if (b == 0)
        x[n - u[b]] = 2.0f; // @number
    else
        x[b - n] = 1.0f; // @above
}
// EXPECT kernel from_a_number
// EXPECT verdict race
// EXPECT TR001 @number @above
// EXPECT requires contents-range:launch no-wrap:launch
// EXPECT observable yes

/* Counted down from an end of which nothing is stated: indices lie below it. */
tile_kernel void from_the_end(float *restrict x, const int *restrict u, int n)
{
    int b = tile_bid(0);
    if (b == 0)
        x[n - u[b]] = 2.0f; // @end
    else
        x[n + b] = 1.0f; // @behind_it
}
// EXPECT kernel from_the_end
// EXPECT verdict conditional
// EXPECT TR001 @end @behind_it
// EXPECT requires contents-range:race no-wrap:launch in-bounds:launch

/* Folded at 0, and from the seventh number on: those below it start in front of the buffer. */
tile_kernel void folded(float *restrict x, const int *restrict u)
{
    tile_unique(u);
    int i = u[tile_bid(0)];
    x[(i > -1 ? i : -1 - i) - 7] = 1.0f; // @folded
}
// EXPECT kernel folded
// EXPECT verdict race
// EXPECT TR001 @folded @folded
// EXPECT observable no

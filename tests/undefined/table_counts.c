/* How many tiles of rows there are stands in a table. As tables are meant, lengths are not negative
 * and starts do not decrease, so a count made of them is a size: as a divisor it is asked to be
 * positive. Any other number that a table gives may be negative, and then the quotients are, too.
 */
#include <tile.h>

tile_kernel void length(float *restrict y, const int *restrict total)
{
    int rows = (total[0] + 15) / 16, id = tile_bid(0);
    if (id / rows < 1)
        y[id % rows] = 1.0f;
}

tile_kernel void starts(float *restrict y, const int *restrict start)
{
    int rows = (start[1] - start[0] + 15) / 16, id = tile_bid(0);
    if (id / rows < 1)
        y[id % rows] = 1.0f;
}

tile_kernel void pairs(float *restrict y, const int *restrict total)
{
    int rows = (total[0] + 15) / 16, id = tile_bid(0);
    if (id / rows < 1)
        y[id % rows / 2] = 1.0f; // @pairs
}

tile_kernel void backwards(float *restrict y, const int *restrict start)
{
    int rows = (start[0] - start[1]) / 16, id = tile_bid(0);
    if (id / rows < 1)
        y[id % rows] = 1.0f; // @backwards
}

tile_kernel void element(float *restrict y, const int *restrict total)
{
    int rows = total[0], id = tile_bid(0);
    if (id / rows < 1)
        y[id % rows] = 1.0f; // @element
}

// EXPECT kernel length
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch no-wrap:launch

// EXPECT kernel starts
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch no-wrap:launch

// EXPECT kernel pairs
// EXPECT verdict race
// EXPECT requires no-wrap:launch positive-divisor:launch
// EXPECT TR001 @pairs @pairs
// EXPECT observable no

// EXPECT kernel backwards
// EXPECT verdict race
// EXPECT requires no-wrap:launch positive-divisor:launch
// EXPECT TR001 @backwards @backwards
// EXPECT observable no

// EXPECT kernel element
// EXPECT verdict race
// EXPECT requires positive-divisor:launch
// EXPECT TR001 @element @element
// EXPECT observable no

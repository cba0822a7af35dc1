/* Blocks in groups of rows, of which the last group is shorter: how many rows it has counts down to
 * what is left, and a launch is meant to have as many blocks as there are rows. As a divisor it is
 * a size, asked to be positive. */
#include <tile.h>

tile_kernel void of_a_parameter(int *restrict x, int m, int n, int c)
{
    int b = tile_bid(0), rows = m - c * (b / n) < c ? m - c * (b / n) : c;
    x[b] = 100 / rows;
}
// EXPECT kernel of_a_parameter
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch
// EXPECT asks n > 0
// EXPECT asks c > 0 && c * ((grid.x - 1) / n) < m

tile_kernel void of_eight(int *restrict x, int m, int n)
{
    int b = tile_bid(0), rows = m - 8 * (b / n) < 8 ? m - 8 * (b / n) : 8;
    x[b] = 100 / rows;
}
// EXPECT kernel of_eight
// EXPECT verdict race-free
// EXPECT requires positive-divisor:launch
// EXPECT asks n > 0
// EXPECT asks (grid.x - 1) / n * 8 < m

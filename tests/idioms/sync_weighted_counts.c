/* Counters to which each tile block adds what it has done, say the rows of its tile: who finds the
 * total is the last. Where blocks add different numbers, where the number may be 0 or wraps, and
 * where one less will do, several go on, or one goes on before all are through. */
#include <tile.h>

#define LAUNCH                                                                                     \
    tile_grid(8);                                                                                  \
    tile_contents(c, 0, 0)
#define ADD(w) tile_to_int(tile_atomic_add(tile_pointers(c, 0), w, TILE_ACQ_REL, TILE_DEVICE))

static int sum_of(const int *x, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i]; // @sum
    return sum;
}

tile_kernel void fours(int *restrict x, int *restrict y, int *restrict c)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = b;
    if (ADD(4) == 28)
        y[0] = sum_of(x, 8);
}
// EXPECT kernel fours
// EXPECT verdict race-free

tile_kernel void total(int *restrict x, int *restrict y, int *restrict c)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = b;
    if (ADD(4) + 4 == 32)
        y[0] = sum_of(x, 8);
}
// EXPECT kernel total
// EXPECT verdict race-free

tile_kernel void by_a_parameter(int *restrict x, int *restrict y, int *restrict c, int w)
{
    LAUNCH;
    tile_assume(w > 0 && w < 1000);
    int b = tile_bid(0);
    x[b] = b;
    if (ADD(w) + w == 8 * w)
        y[0] = sum_of(x, 8);
}
// EXPECT kernel by_a_parameter
// EXPECT verdict race-free

tile_kernel void by_two_parameters(int *restrict x, int *restrict y, int *restrict c, int w, int n)
{
    tile_grid(n);
    tile_contents(c, 0, 0);
    tile_assume(w > 0 && w < 1000 && n > 1 && n < 1000);
    int b = tile_bid(0);
    x[b] = b;
    if (ADD(w) + w == n * w)
        y[0] = sum_of(x, n);
}
// EXPECT kernel by_two_parameters
// EXPECT verdict race-free

/* The last tile may be a ragged one. */
tile_kernel void rows_of_tiles(int *restrict x, int *restrict y, int *restrict c, int m)
{
    tile_grid(tile_cdiv(m, 64));
    tile_contents(c, 0, 0);
    tile_assume(m > 0 && m < 100000);
    int b = tile_bid(0);
    x[b] = b;
    if (ADD(64) + 64 >= m)
        y[0] = sum_of(x, tile_grid_extent(0));
}
// EXPECT kernel rows_of_tiles
// EXPECT verdict race-free

tile_kernel void counted_down(int *restrict x, int *restrict y, int *restrict c)
{
    tile_grid(8);
    tile_contents(c, 32, 32);
    int b = tile_bid(0);
    x[b] = b;
    if (ADD(-4) == 4)
        y[0] = sum_of(x, 8);
}
// EXPECT kernel counted_down
// EXPECT verdict race-free

tile_kernel void by_a_table(int *restrict x, int *restrict y, int *restrict c,
                            const int *restrict t)
{
    LAUNCH;
    tile_contents(t, 1, 9);
    int b = tile_bid(0);
    x[b] = b;
    if (ADD(t[0]) + t[0] == 8 * t[0])
        y[0] = sum_of(x, 8);
}
// EXPECT kernel by_a_table
// EXPECT verdict race-free

/* What is there at launch is less than any block adds. */
tile_kernel void loose_start(int *restrict x, int *restrict y, int *restrict c)
{
    tile_grid(8);
    tile_contents(c, 0, 3);
    int b = tile_bid(0);
    x[b] = b;
    if (ADD(4) >= 28)
        y[0] = sum_of(x, 8);
}
// EXPECT kernel loose_start
// EXPECT verdict race-free

tile_kernel void one_too_early(int *restrict x, int *restrict y, int *restrict c)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = b; // @one_too_early_x
    if (ADD(4) == 24)
        y[0] = sum_of(x, 8); // @one_too_early_y
}
// EXPECT kernel one_too_early
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @sum @one_too_early_x

/* Of 65 rows the first block takes 64. */
tile_kernel void last_two(int *restrict x, int *restrict y, int *restrict c, int m)
{
    tile_grid(tile_cdiv(m, 64));
    tile_contents(c, 0, 0);
    tile_assume(m > 0 && m < 100000);
    int b = tile_bid(0);
    x[b] = b; // @last_two_x
    if (ADD(64) + 65 >= m)
        y[0] = sum_of(x, tile_grid_extent(0)); // @last_two_y
}
// EXPECT kernel last_two
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @sum @last_two_x
// EXPECT TR001 @last_two_y @last_two_y

tile_kernel void perhaps_nothing(int *restrict x, int *restrict y, int *restrict c, int w)
{
    LAUNCH;
    tile_assume(w >= 0 && w < 1000);
    int b = tile_bid(0);
    x[b] = b; // @perhaps_nothing_x
    if (ADD(w) + w == 8 * w)
        y[0] = sum_of(x, 8); // @perhaps_nothing_y
}
// EXPECT kernel perhaps_nothing
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @sum @perhaps_nothing_x
// EXPECT TR001 @perhaps_nothing_y @perhaps_nothing_y

/* Four blocks add up to all 32 bits, and the counter begins again. */
tile_kernel void wraps(int *restrict x, int *restrict y, int *restrict c)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = b; // @wraps_x
    if (((ADD(0x40000000) >> 30) & 3) == 3)
        y[0] = sum_of(x, 8); // @wraps_y
}
// EXPECT kernel wraps
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @sum @wraps_x
// EXPECT TR001 @wraps_y @wraps_y

/* Block 0 counts for two, and block 1 adds nothing in time. */
tile_kernel void other_weights(int *restrict x, int *restrict y, int *restrict c)
{
    LAUNCH;
    int b = tile_bid(0);
    x[b] = b; // @other_weights_x
    if (ADD(b == 0 ? 8 : 4) >= 28)
        y[0] = sum_of(x, 8); // @other_weights_y
}
// EXPECT kernel other_weights
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR020 @sum @other_weights_x
// EXPECT TR001 @other_weights_y @other_weights_y

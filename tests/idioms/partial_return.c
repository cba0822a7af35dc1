/* Branches in which some tile blocks return: who comes behind the branch came by either side of it,
 * and did not return in that side. */
#include <tile.h>

/* All tile blocks but one come behind the branch by the side that returns. */
tile_kernel void by_the_side_that_returns(float *restrict x, int n)
{
    tile_grid(8);
    tile_extent(x, 8);
    int b = tile_bid(0);
    if (n > 3) {
        if (b == 7)
            return;
    }
    if (n > 3)
        x[0] = (float)b; // @returns
}

// EXPECT kernel by_the_side_that_returns
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @returns @returns

tile_kernel void by_the_side_that_does_not(float *restrict x, int n)
{
    tile_grid(8);
    tile_extent(x, 8);
    int b = tile_bid(0);
    if (n > 3) {
        if (b > 0)
            return;
    }
    if (n <= 3)
        x[0] = (float)b; // @stays
}

// EXPECT kernel by_the_side_that_does_not
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @stays @stays

tile_kernel void by_the_other_side(float *restrict x, int n)
{
    tile_grid(8);
    tile_extent(x, 8);
    int b = tile_bid(0);
    if (n > 3) {
        x[b] = 1.0f;
    } else {
        if (b == 7)
            return;
    }
    if (n <= 3)
        x[0] = (float)b; // @other
}

// EXPECT kernel by_the_other_side
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @other @other

/* One tile block is left where the branch is taken, and the others store nothing where it is not.
 */
tile_kernel void one_is_left(float *restrict x, int n)
{
    tile_grid(8);
    tile_extent(x, 8);
    int b = tile_bid(0);
    if (n > 3) {
        if (b != 0)
            return;
    }
    if (n > 3)
        x[0] = (float)b;
}

// EXPECT kernel one_is_left
// EXPECT verdict race-free

/* Both sides leave one tile block. */
tile_kernel void one_by_each_side(float *restrict x, int n)
{
    tile_grid(8);
    tile_extent(x, 8);
    int b = tile_bid(0);
    if (n > 3) {
        if (b > 0)
            return;
    } else {
        if (b != 1)
            return;
    }
    x[0] = (float)b;
}

// EXPECT kernel one_by_each_side
// EXPECT verdict race-free

tile_kernel void two_by_one_side(float *restrict x, int n)
{
    tile_grid(8);
    tile_extent(x, 8);
    int b = tile_bid(0);
    if (n > 3) {
        if (b > 0)
            return;
    } else {
        if (b > 1)
            return;
    }
    x[0] = (float)b; // @two
}

// EXPECT kernel two_by_one_side
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @two @two

/* What a side found out holds only for those that came by it. */
tile_kernel void known_by_one_side(float *restrict x, int n, int m)
{
    tile_grid(8);
    tile_extent(x, 8);
    int b = tile_bid(0);
    if (n > 3) {
        if (m != 0)
            return;
    }
    x[m != 0 ? 0 : b] = (float)b; // @known
}

// EXPECT kernel known_by_one_side
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @known @known

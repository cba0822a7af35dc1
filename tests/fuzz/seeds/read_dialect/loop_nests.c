/* The same in nests, open loops, branches, masks, and in one tile block alone. */
#include <tile.h>

tile_kernel void lc_nest(float *restrict y)
{
    int b = tile_bid(0);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            tile_assert(j == 0);         // @lc_nest
            y[b * 4 + i * 3 + j] = 1.0f; // @lc_nest_2
        }
}

tile_kernel void lc_nest2(float *restrict y)
{
    int b = tile_bid(0);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            tile_assert(i == 0);         // @lc_nest2
            y[b * 4 + i * 3 + j] = 1.0f; // @lc_nest2_2
        }
}

tile_kernel void lc_nest3(float *restrict y)
{
    int b = tile_bid(0);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            tile_assert(i + j == 0);     // @lc_nest3
            y[b * 4 + i * 3 + j] = 1.0f; // @lc_nest3_2
        }
}

tile_kernel void lc_nest4(float *restrict y, int n, int m)
{
    int b = tile_bid(0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            tile_assert(j <= i);     // @lc_nest4
            y[b * n + i + j] = 1.0f; // @lc_nest4_2
        }
}

tile_kernel void ld_mask(float *restrict y, int *restrict z)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        tile s = tile_shl(1, tile_mul(tile_iota(4), 16 * i)); // @ld_mask
        tile_store_ptr(tile_pointers(z, tile_add(tile_iota(4), 16 * b + 4 * i)), s);
        y[b * 2 + i] = 1.0f; // @ld_mask_2
    }
}

tile_kernel void le_if(float *restrict y, int *restrict z)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        if (i > 1)
            z[b * 4 + i] = 8 / (i - 2); // @le_if
        y[b * 3 + i] = 1.0f;            // @le_if_2
    }
}

tile_kernel void le_block(float *restrict y, int *restrict z)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        if (b == 1)
            z[b * 4 + i] = 8 / (i - 2); // @le_block
        y[b * 3 + i] = 1.0f;            // @le_block_2
    }
}

tile_kernel void le_block2(float *restrict y)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        if (b > 0)
            tile_assert(i < 1); // @le_block2
        y[b * 3 + i] = 1.0f;    // @le_block2_2
    }
}

tile_kernel void lf_while(float *restrict y, int *restrict z)
{
    int b = tile_bid(0);
    int i = 0;
    while (i < 4) {
        tile_assert(i == 0); // @lf_while
        y[b * 2 + i] = 1.0f; // @lf_while_2
        i++;
    }
}

tile_kernel void lf_while_div(float *restrict y, int *restrict z, int n)
{
    int b = tile_bid(0);
    int i = 0;
    while (i < n) {
        z[b * n + i] = 4 / (1 - i); // @lf_while_div
        y[b * 2 + i] = 1.0f;        // @lf_while_div_2
        i++;
    }
}

tile_kernel void lf_after(float *restrict y)
{
    int b = tile_bid(0);
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += i;
    tile_assert(s == 0); // @lf_after_assert
    y[0] = 1.0f;         // @lf_after
    y[b] = 2.0f;         // @lf_after_2
}

tile_kernel void lf_step(float *restrict y, int m)
{
    int b = tile_bid(0);
    for (int i = b; i < m; i += tile_grid_extent(0)) {
        tile_assert(i == b); // @lf_step
        y[i / 2] = 1.0f;     // @lf_step_2
    }
}

tile_kernel void lf_step_ok(float *restrict y, int m)
{
    int b = tile_bid(0);
    for (int i = b; i < m; i += tile_grid_extent(0)) {
        tile_assert(i < m);
        y[i] = 1.0f;
    }
}

tile_kernel void lf_last(float *restrict y, int *restrict z)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++) {
        z[b * 4 + i] = 8 / (3 - i); // @lf_last
        y[b * 3 + i] = 1.0f;        // @lf_last_2
    }
}

tile_kernel void lf_last2(float *restrict y)
{
    int b = tile_bid(0);
    for (int i = 0; i < 8; i++) {
        tile_assert(i < 5);  // @lf_last2
        y[b * 7 + i] = 1.0f; // @lf_last2_2
    }
}

// EXPECT kernel lc_nest
// EXPECT verdict race
// EXPECT TR028 @lc_nest
// EXPECT TR001 @lc_nest_2 @lc_nest_2
// EXPECT observable no

// EXPECT kernel lc_nest2
// EXPECT verdict race
// EXPECT TR028 @lc_nest2
// EXPECT TR001 @lc_nest2_2 @lc_nest2_2
// EXPECT observable no

// EXPECT kernel lc_nest3
// EXPECT verdict race
// EXPECT TR028 @lc_nest3
// EXPECT TR001 @lc_nest3_2 @lc_nest3_2
// EXPECT observable no

// EXPECT kernel lc_nest4
// EXPECT verdict race
// EXPECT TR028 @lc_nest4
// EXPECT TR001 @lc_nest4_2 @lc_nest4_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel ld_mask
// EXPECT verdict race
// EXPECT TR010 @ld_mask
// EXPECT TR001 @ld_mask_2 @ld_mask_2
// EXPECT requires in-bounds:launch
// EXPECT observable no

// EXPECT kernel le_if
// EXPECT verdict race
// EXPECT TR010 @le_if
// EXPECT TR001 @le_if_2 @le_if_2
// EXPECT observable no

// EXPECT kernel le_block
// EXPECT verdict race
// EXPECT TR010 @le_block
// EXPECT TR001 @le_block_2 @le_block_2
// EXPECT observable no

// EXPECT kernel le_block2
// EXPECT verdict race
// EXPECT TR028 @le_block2
// EXPECT TR001 @le_block2_2 @le_block2_2
// EXPECT observable no

// EXPECT kernel lf_while
// EXPECT verdict race
// EXPECT TR028 @lf_while
// EXPECT TR001 @lf_while_2 @lf_while_2
// EXPECT observable no

// EXPECT kernel lf_while_div
// EXPECT verdict race
// EXPECT TR010 @lf_while_div
// EXPECT TR001 @lf_while_div_2 @lf_while_div_2
// EXPECT requires no-wrap
// EXPECT observable no

// EXPECT kernel lf_after
// EXPECT verdict race
// EXPECT TR028 @lf_after_assert
// EXPECT TR001 @lf_after @lf_after
// EXPECT TR001 @lf_after @lf_after_2
// EXPECT observable no

// EXPECT kernel lf_step
// EXPECT verdict race
// EXPECT TR028 @lf_step
// EXPECT TR001 @lf_step_2 @lf_step_2
// EXPECT observable no

// EXPECT kernel lf_step_ok
// EXPECT verdict race-free

// EXPECT kernel lf_last
// EXPECT verdict race
// EXPECT TR010 @lf_last
// EXPECT TR001 @lf_last_2 @lf_last_2
// EXPECT observable no

// EXPECT kernel lf_last2
// EXPECT verdict race
// EXPECT TR028 @lf_last2
// EXPECT TR001 @lf_last2_2 @lf_last2_2
// EXPECT observable no

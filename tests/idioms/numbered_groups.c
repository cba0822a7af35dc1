/* A fixed number of blocks walks over the items of groups whose sizes a table says: each moves by a
 * number that stands in the source, from one group to the next. */
#include <tile.h>

/* Twelve blocks, a step of twelve: no two come by the same item. */
tile_kernel void by_blocks(float *restrict y, const int *restrict sizes, int groups)
{
    tile_grid(12);
    int t = tile_bid(0), begin = 0;
    for (int g = 0; g < groups; g++) {
        int end = begin + sizes[g];
        while (t < end) {
            y[t] = 1.0f;
            t += 12;
        }
        begin = end;
    }
}

// EXPECT kernel by_blocks
// EXPECT verdict race-free
// EXPECT requires no-wrap

/* The place in its group, in rows of a width that the group says. */
tile_kernel void by_rows(float *restrict y, const int *restrict sizes, const int *restrict widths,
                         int groups)
{
    tile_grid(12);
    int t = tile_bid(0), begin = 0, most = groups < 100 ? groups : 100;
    for (int g = 0; g < most; g++) {
        int width = widths[g] < 1 ? 1 : widths[g] > 64 ? 64 : widths[g];
        int height = sizes[g] < 4096 ? sizes[g] : 4096, end = begin + height * width;
        while (t >= begin && t < end) {
            int row = (t - begin) / width, column = (t - begin) % width;
            y[(g * 4096 + row) * 64 + column] = 1.0f;
            t += 12;
        }
        begin = end;
    }
}

// EXPECT kernel by_rows
// EXPECT verdict race-free
// EXPECT requires no-wrap

/* More blocks than the step: block 12 begins with the second item of block 0. */
tile_kernel void too_many(float *restrict y, const int *restrict sizes, int groups)
{
    tile_grid(13);
    int t = tile_bid(0), begin = 0;
    for (int g = 0; g < groups; g++) {
        int end = begin + sizes[g];
        while (t < end) {
            y[t] = 1.0f; // @too_many
            t += 12;
        }
        begin = end;
    }
}

// EXPECT kernel too_many
// EXPECT verdict race
// EXPECT TR001 @too_many @too_many
// EXPECT observable no
// EXPECT requires no-wrap

/* Any number of blocks: as many as the step are asked for. */
tile_kernel void any_number(float *restrict y, const int *restrict sizes, int groups)
{
    int t = tile_bid(0), begin = 0;
    for (int g = 0; g < groups; g++) {
        int end = begin + sizes[g];
        while (t < end) {
            y[t] = 1.0f; // @any_number
            t += 12;
        }
        begin = end;
    }
}

// EXPECT kernel any_number
// EXPECT verdict conditional
// EXPECT TR001 @any_number @any_number
// EXPECT observable no
// EXPECT requires grid-bound:race no-wrap

/* Every other group moves by eight: what is left of a block's number is its remainder by four. */
tile_kernel void two_steps(float *restrict y, const int *restrict sizes, int groups)
{
    tile_grid(12);
    int t = tile_bid(0), begin = 0;
    for (int g = 0; g < groups; g++) {
        int end = begin + sizes[g];
        while (t < end) {
            y[t] = 1.0f; // @two_steps
            t += g % 2 == 0 ? 12 : 8;
        }
        begin = end;
    }
}

// EXPECT kernel two_steps
// EXPECT verdict race
// EXPECT TR001 @two_steps @two_steps
// EXPECT observable no
// EXPECT requires no-wrap

/* Downwards from the number: a block never meets another one's item. */
tile_kernel void downwards(float *restrict y, const int *restrict sizes, int groups, int n)
{
    tile_grid(12);
    int t = n - 1 - tile_bid(0), end = n;
    for (int g = 0; g < groups; g++) {
        end -= sizes[g];
        while (t >= end && t >= 0) {
            y[t] = 1.0f;
            t -= 12;
        }
    }
}

// EXPECT kernel downwards
// EXPECT verdict race-free
// EXPECT requires no-wrap

/* Each group begins anew with the block's number, and in the items of the group before. */
tile_kernel void from_anew(float *restrict y, const int *restrict sizes, int groups)
{
    tile_grid(12);
    int begin = 0;
    for (int g = 0; g < groups; g++) {
        int end = begin + sizes[g], t = begin + tile_bid(0);
        while (t < end) {
            y[t] = 1.0f; // @from_anew
            t += 12;
        }
        begin = end - 1;
    }
}

// EXPECT kernel from_anew
// EXPECT verdict race
// EXPECT TR001 @from_anew @from_anew
// EXPECT observable no
// EXPECT requires no-wrap

/* Rows of a fixed length with an element that is looked up: it has to stay in its row. */
#include <tile.h>

tile_kernel void in_row(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 64 + idx[b]] = 1.0f; // @row
}

tile_kernel void by_two(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 64 + idx[b] * 2] = 1.0f; // @two
}

tile_kernel void behind_header(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 64 + idx[b] + 5] = 1.0f; // @header
}

/* One of the contract's 65 values is in the next row. */
tile_kernel void one_too_many(float *restrict y, const int *restrict idx)
{
    tile_contents(idx, 0, 64);
    int b = tile_bid(0);
    y[b * 64 + idx[b]] = 1.0f; // @many
}

tile_kernel void as_stated(float *restrict y, const int *restrict idx)
{
    tile_contents(idx, 0, 63);
    int b = tile_bid(0);
    y[b * 64 + idx[b]] = 1.0f;
}

/* From -1 on, where the contract says so: only one bound is asked for. */
tile_kernel void from_minus_one(float *restrict y, const int *restrict idx)
{
    tile_contents(idx, -1, 62);
    int b = tile_bid(0);
    y[b * 63 + idx[b] + 1] = 1.0f; // @minus
}

// EXPECT kernel in_row
// EXPECT verdict conditional
// EXPECT TR001 @row @row
// EXPECT requires contents-range:race

// EXPECT kernel by_two
// EXPECT verdict conditional
// EXPECT TR001 @two @two
// EXPECT requires contents-range:race

// EXPECT kernel behind_header
// EXPECT verdict conditional
// EXPECT TR001 @header @header
// EXPECT requires contents-range:race

// EXPECT kernel one_too_many
// EXPECT verdict conditional
// EXPECT TR001 @many @many
// EXPECT requires contents-range:race

// EXPECT kernel as_stated
// EXPECT verdict race-free

// EXPECT kernel from_minus_one
// EXPECT verdict conditional
// EXPECT TR001 @minus @minus
// EXPECT requires contents-range:race

/* The remainder has the sign of what it is taken of. */
tile_kernel void less_three(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 16 + (idx[b] - 3) % 16] = 1.0f; // @less_three
}

tile_kernel void and_five(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 16 + (idx[b] + 5) % 16] = 1.0f; // @and_five
}

tile_kernel void three_less(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 16 + (3 - idx[b]) % 16] = 1.0f; // @three_less
}

tile_kernel void less_three_stated(float *restrict y, const int *restrict idx)
{
    tile_contents(idx, 3, 1000);
    int b = tile_bid(0);
    y[b * 16 + (idx[b] - 3) % 16] = 1.0f;
}

/* Of either sign there are 16 remainders, and of this one 17. */
tile_kernel void remainder_of_more(float *restrict y, const int *restrict idx)
{
    int b = tile_bid(0);
    y[b * 16 + (idx[b] - 3) % 17] = 1.0f; // @of_more
}

// EXPECT kernel less_three
// EXPECT verdict conditional
// EXPECT TR001 @less_three @less_three
// EXPECT requires contents-range:race
// EXPECT asks every element of 'idx' is at least 3

// EXPECT kernel and_five
// EXPECT verdict conditional
// EXPECT TR001 @and_five @and_five
// EXPECT requires contents-range:race
// EXPECT asks every element of 'idx' is at least -5 and below 2147483643

// EXPECT kernel three_less
// EXPECT verdict conditional
// EXPECT TR001 @three_less @three_less
// EXPECT requires contents-range:race
// EXPECT asks every element of 'idx' is at least -2147483644 and below 4

// EXPECT kernel less_three_stated
// EXPECT verdict race-free

// EXPECT kernel remainder_of_more
// EXPECT verdict race
// EXPECT TR001 @of_more @of_more
// EXPECT requires contents-range:launch
// EXPECT observable no

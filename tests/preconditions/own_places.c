/* What is looked up picks one of a block's own places: elements have to be numbers of such places,
 * counted from where the address counts them. */
#include <tile.h>

enum { D = 16 };

tile_kernel void less_five(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b * 96 + t[b] - 5] = 1.0f; // @less_five
}

tile_kernel void twice_less_five(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b * 96 + 2 * (t[b] - 5)] = 1.0f; // @twice
}

tile_kernel void shorts_from_three(float *restrict y, const short *restrict t)
{
    int b = tile_bid(0);
    y[b * 64 + t[b] - 3] = 1.0f; // @shorts
}

tile_kernel void rows_of_a_size(float *restrict y, const int *restrict t, int s)
{
    tile_assume(s > 0 && s <= 1000);
    tile_grid(64);
    int b = tile_bid(0);
    y[b * s + t[b] - 5] = 1.0f; // @size
}

/* Of 101 numbers the last alone would be left from the first place on. */
tile_kernel void stated_below_the_start(float *restrict y, const int *restrict t)
{
    tile_contents(t, 0, 100);
    int b = tile_bid(0);
    y[b * 96 + t[b] - 100] = 1.0f; // @below
}

/* Any 96 numbers that follow each other will do. */
tile_kernel void stated_elsewhere(float *restrict y, const int *restrict t)
{
    tile_contents(t, 0, 95);
    int b = tile_bid(0);
    y[b * 96 + t[b] - 5] = 1.0f;
}
// EXPECT kernel less_five
// EXPECT verdict conditional
// EXPECT TR001 @less_five @less_five
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 5 and below 101

// EXPECT kernel twice_less_five
// EXPECT verdict conditional
// EXPECT TR001 @twice @twice
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 5 and below 53

// EXPECT kernel shorts_from_three
// EXPECT verdict conditional
// EXPECT TR001 @shorts @shorts
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 3 and below 67

// EXPECT kernel rows_of_a_size
// EXPECT verdict conditional
// EXPECT TR001 @size @size
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 5 and below s + 5

// EXPECT kernel stated_below_the_start
// EXPECT verdict conditional
// EXPECT TR001 @below @below
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 96

// EXPECT kernel stated_elsewhere
// EXPECT verdict race-free

/* Rows that are filled from the end. */
tile_kernel void from_the_end(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b * 64 + 63 - t[b]] = 1.0f; // @end
}

tile_kernel void from_the_end_counted_from_one(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b * 64 + 64 - t[b]] = 1.0f; // @one
}

tile_kernel void from_the_end_by_two(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b * 64 + 62 - 2 * t[b]] = 1.0f; // @two
}

tile_kernel void from_the_end_unsigned(float *restrict y, const unsigned *restrict t)
{
    unsigned b = tile_bid(0);
    y[b * 64 + 63 - t[b]] = 1.0f; // @unsigned
}

tile_kernel void behind_a_header(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[16 + b * 64 + 63 - t[b]] = 1.0f; // @header
}

tile_kernel void from_the_end_by_remainder(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b * 64 + 63 - t[b] % 64] = 1.0f; // @remainder
}

tile_kernel void one_number_too_many(float *restrict y, const int *restrict t)
{
    tile_contents(t, 0, 64);
    int b = tile_bid(0);
    y[b * 64 + 63 - t[b]] = 1.0f; // @many
}

tile_kernel void from_the_end_as_stated(float *restrict y, const int *restrict t)
{
    tile_contents(t, -1, 62);
    int b = tile_bid(0);
    y[b * 64 + 63 - t[b]] = 1.0f;
}

/* There are 65 remainders for 64 places. */
tile_kernel void one_remainder_too_many(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b * 64 + 63 - t[b] % 65] = 1.0f; // @remainders
}

/* Every element is a whole row away from the next. */
tile_kernel void whole_rows(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    y[b * 64 + 63 - t[b] * 64] = 1.0f; // @whole
}
// EXPECT kernel from_the_end
// EXPECT verdict conditional
// EXPECT TR001 @end @end
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 64

// EXPECT kernel from_the_end_counted_from_one
// EXPECT verdict conditional
// EXPECT TR001 @one @one
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 1 and below 65

// EXPECT kernel from_the_end_by_two
// EXPECT verdict conditional
// EXPECT TR001 @two @two
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 32

// EXPECT kernel from_the_end_unsigned
// EXPECT verdict conditional
// EXPECT TR001 @unsigned @unsigned
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 64

// EXPECT kernel behind_a_header
// EXPECT verdict conditional
// EXPECT TR001 @header @header
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 64

// EXPECT kernel from_the_end_by_remainder
// EXPECT verdict conditional
// EXPECT TR001 @remainder @remainder
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0

// EXPECT kernel one_number_too_many
// EXPECT verdict conditional
// EXPECT TR001 @many @many
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 64

// EXPECT kernel from_the_end_as_stated
// EXPECT verdict race-free

// EXPECT kernel one_remainder_too_many
// EXPECT verdict race
// EXPECT TR001 @remainders @remainders
// EXPECT observable no

// EXPECT kernel whole_rows
// EXPECT verdict race
// EXPECT TR001 @whole @whole
// EXPECT observable no
// EXPECT requires contents-range:launch

/* Places of several elements: lanes or iterations lie between those of two numbers. */
tile_kernel void lanes(float *restrict y, const int *restrict t)
{
    tile_grid(64);
    int b = tile_bid(0);
    tile place = tile_pointers(y, b * 256 + t[b] * D + tile_iota(D));
    tile_store_ptr(place, tile_full(1.0f, D)); // @lanes
}

tile_kernel void iterations_from_one(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++)
        y[b * 64 + 4 * t[b] + i - 4] = 1.0f; // @iterations
}

tile_kernel void iterations_from_the_end(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++)
        y[b * 64 + 63 - 4 * t[b] - i] = 1.0f; // @from_end
}

/* The fifth lane would leave the block with the 16th number. */
tile_kernel void one_lane_more(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    for (int i = 0; i < 5; i++)
        y[b * 64 + 4 * t[b] + i] = 1.0f; // @five
}

tile_kernel void rows_of_rows(float *restrict y, const int *restrict t)
{
    tile_grid(64);
    int b = tile_bid(0);
    for (int i = 0; i < 8; i++)
        y[b * 512 + i * 64 + 63 - t[b * 8 + i]] = 1.0f; // @rows
}
// EXPECT kernel lanes
// EXPECT verdict conditional
// EXPECT TR001 @lanes @lanes
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 16

// EXPECT kernel iterations_from_one
// EXPECT verdict conditional
// EXPECT TR001 @iterations @iterations
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 1 and below 17

// EXPECT kernel iterations_from_the_end
// EXPECT verdict conditional
// EXPECT TR001 @from_end @from_end
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 16

// EXPECT kernel one_lane_more
// EXPECT verdict conditional
// EXPECT TR001 @five @five
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 15

// EXPECT kernel rows_of_rows
// EXPECT verdict conditional
// EXPECT TR001 @rows @rows
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is at least 0 and below 64

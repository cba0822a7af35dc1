/* Segments between two elements of a table that unsigned numbers count over. */
#include <tile.h>

tile_kernel void signed_ends(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    for (unsigned j = t[b]; j < t[b + 1]; j++)
        y[j] = 1.0f; // @signed_ends
}
// EXPECT kernel signed_ends
// EXPECT verdict conditional
// EXPECT TR001 @signed_ends @signed_ends
// EXPECT requires increasing-contents:race
// EXPECT asks the elements of 't' do not decrease

tile_kernel void unsigned_ends(float *restrict y, const unsigned *restrict t)
{
    int b = tile_bid(0);
    for (unsigned j = t[b]; j < t[b + 1]; j++)
        y[j] = 1.0f; // @unsigned_ends
}
// EXPECT kernel unsigned_ends
// EXPECT verdict conditional
// EXPECT TR001 @unsigned_ends @unsigned_ends
// EXPECT requires increasing-contents:race
// EXPECT asks the elements of 't' do not decrease

tile_kernel void by_while(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    unsigned j = t[b];
    while (j < t[b + 1]) {
        y[j] = 1.0f; // @by_while
        j++;
    }
}
// EXPECT kernel by_while
// EXPECT verdict conditional
// EXPECT TR001 @by_while @by_while
// EXPECT requires increasing-contents:race
// EXPECT asks the elements of 't' do not decrease

tile_kernel void left_in_between(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    unsigned j = t[b];
    for (;;) {
        if (j >= t[b + 1])
            break;
        y[j] = 1.0f; // @between
        j++;
    }
}
// EXPECT kernel left_in_between
// EXPECT verdict conditional
// EXPECT TR001 @between @between
// EXPECT requires increasing-contents:race
// EXPECT asks the elements of 't' do not decrease

/* A length below 0 is one of 2^32 iterations: the example has none. */
tile_kernel void by_length(float *restrict y, const int *restrict t)
{
    int b = tile_bid(0);
    int n = t[b + 1] - t[b];
    for (unsigned j = 0; j < n; j++)
        y[t[b] + j] = 1.0f; // @length
}
// EXPECT kernel by_length
// EXPECT verdict conditional
// EXPECT TR001 @length @length
// EXPECT requires increasing-contents:race no-wrap:launch

tile_kernel void by_unsigned_length(float *restrict y, const unsigned *restrict t)
{
    int b = tile_bid(0);
    unsigned start = t[b], n = t[b + 1] - start;
    for (unsigned j = 0; j < n; j++)
        y[start + j] = 1.0f; // @unsigned_length
}
// EXPECT kernel by_unsigned_length
// EXPECT verdict conditional
// EXPECT TR001 @unsigned_length @unsigned_length
// EXPECT requires increasing-contents:race

tile_kernel void as_stated(float *restrict y, const int *restrict t)
{
    tile_increasing(t);
    int b = tile_bid(0);
    for (unsigned j = t[b]; j < t[b + 1]; j++)
        y[j] = 1.0f;
}
// EXPECT kernel as_stated
// EXPECT verdict race-free

/* The end of one segment is the start of the next. */
tile_kernel void one_too_many(float *restrict y, const int *restrict t)
{
    tile_increasing(t);
    int b = tile_bid(0);
    for (unsigned j = t[b]; j <= t[b + 1]; j++)
        y[j] = 1.0f; // @many
}
// EXPECT kernel one_too_many
// EXPECT verdict race
// EXPECT TR001 @many @many
// EXPECT requires no-wrap:launch
// EXPECT observable no

/* These numbers do go on behind 2^32 - 1: from -2 to 2. */
tile_kernel void behind_the_largest(float *restrict y, const int *restrict t)
{
    tile_contents(t, -2, -2);
    int b = tile_bid(0);
    if (b == 0)
        for (unsigned j = t[0]; j < 3 || j > 1000; j++)
            y[j + 2] = 1.0f; // @wrapped
    else if (b == 1)
        y[4] = 2.0f; // @met
}
// EXPECT kernel behind_the_largest
// EXPECT verdict race
// EXPECT TR001 @wrapped @met
// EXPECT observable yes

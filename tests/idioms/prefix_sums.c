/* Exclusive scans as indices: block b owns the elements from offsets[b] on, lengths[b] of them,
 * where the offsets are the prefix sum of the lengths. */
#include <tile.h>

tile_kernel void segments(const int *restrict offsets, const int *restrict lengths,
                          float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(offsets, (long)n + 1);
    tile_extent(lengths, n);
    tile_contents(lengths, 0, 1 << 20);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0), first = offsets[b];
    for (int i = 0; i < lengths[b]; i++)
        y[first + i] = 1.0f;
}

// EXPECT kernel segments
// EXPECT verdict race-free

tile_kernel void segments_inclusive(const int *restrict offsets, const int *restrict lengths,
                                    float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(offsets, (long)n + 1);
    tile_extent(lengths, n);
    tile_contents(lengths, 0, 1 << 20);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0), first = offsets[b];
    for (int i = 0; i <= lengths[b]; i++)
        y[first + i] = 1.0f; // @inclusive
}

// EXPECT kernel segments_inclusive
// EXPECT verdict race
// EXPECT TR001 @inclusive @inclusive
// EXPECT observable no

/* Segments of at most one tile, under a mask. */
tile_kernel void masked_segment(const int *restrict offsets, const int *restrict lengths,
                                float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(offsets, (long)n + 1);
    tile_extent(lengths, n);
    tile_contents(lengths, 0, 64);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0);
    tile e = tile_iota(64);
    tile_store_masked(tile_pointers(y, offsets[b] + e), 1.0f, tile_lt(e, lengths[b]));
}

// EXPECT kernel masked_segment
// EXPECT verdict race-free

tile_kernel void unmasked_segment(const int *restrict offsets, const int *restrict lengths,
                                  float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(offsets, (long)n + 1);
    tile_extent(lengths, n);
    tile_contents(lengths, 0, 64);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    tile_store_ptr(tile_pointers(y, offsets[tile_bid(0)] + tile_iota(64)), 1.0f); // @unmasked
}

// EXPECT kernel unmasked_segment
// EXPECT verdict race
// EXPECT TR001 @unmasked @unmasked
// EXPECT observable no

/* A second grid axis goes over the tiles of a segment. */
tile_kernel void tiles_of_segments(const int *restrict offsets, const int *restrict lengths,
                                   float *restrict y, int n, int tiles)
{
    tile_grid(n, tiles);
    tile_extent(offsets, (long)n + 1);
    tile_extent(lengths, n);
    tile_contents(lengths, 0, 1 << 20);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0);
    tile e = tile_iota(64) + 64 * tile_bid(1);
    tile_store_masked(tile_pointers(y, offsets[b] + e), 1.0f, tile_lt(e, lengths[b]));
}

// EXPECT kernel tiles_of_segments
// EXPECT verdict race-free

/* Tiles are counted from the tile number, not from its first element. */
tile_kernel void tiles_of_segments_unscaled(const int *restrict offsets,
                                            const int *restrict lengths, float *restrict y, int n,
                                            int tiles)
{
    tile_grid(n, tiles);
    tile_extent(offsets, (long)n + 1);
    tile_extent(lengths, n);
    tile_contents(lengths, 0, 1 << 20);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0);
    tile e = tile_iota(64) + tile_bid(1);
    tile_store_masked(tile_pointers(y, offsets[b] + e), 1.0f, tile_lt(e, lengths[b])); // @unscaled
}

// EXPECT kernel tiles_of_segments_unscaled
// EXPECT verdict race
// EXPECT TR001 @unscaled @unscaled
// EXPECT observable no

/* From the back: the next segment's beginning less the elements that are still to come. */
tile_kernel void backwards(const int *restrict offsets, const int *restrict lengths,
                           float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(offsets, (long)n + 1);
    tile_extent(lengths, n);
    tile_contents(lengths, 0, 1 << 20);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0), end = offsets[b + 1];
    for (int i = 0; i < lengths[b]; i++)
        y[end - 1 - i] = 1.0f;
}

// EXPECT kernel backwards
// EXPECT verdict race-free

/* The last element of the segment is counted as if the end belonged to it. */
tile_kernel void backwards_from_end(const int *restrict offsets, const int *restrict lengths,
                                    float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(offsets, (long)n + 1);
    tile_extent(lengths, n);
    tile_contents(lengths, 0, 1 << 20);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0), end = offsets[b + 1];
    for (int i = 0; i <= lengths[b]; i++)
        y[end - i] = 1.0f; // @from_end
}

// EXPECT kernel backwards_from_end
// EXPECT verdict race
// EXPECT TR001 @from_end @from_end
// EXPECT observable no

/* Rows of `width` elements, in segments of rows. */
tile_kernel void rows_of_segments(const int *restrict offsets, const int *restrict rows,
                                  float *restrict y, int n, int width)
{
    tile_grid(n);
    tile_assume(width > 0 && width <= 1 << 10);
    tile_extent(offsets, (long)n + 1);
    tile_extent(rows, n);
    tile_contents(rows, 0, 1 << 10);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, rows);
    int b = tile_bid(0);
    for (int r = 0; r < rows[b]; r++)
        for (int c = 0; c < width; c++)
            y[((long)offsets[b] + r) * width + c] = 1.0f;
}

// EXPECT kernel rows_of_segments
// EXPECT verdict race-free

/* The lengths of the neighbour bound the loop. */
tile_kernel void wrong_length(const int *restrict offsets, const int *restrict lengths,
                              float *restrict y, int n)
{
    tile_grid(n);
    tile_extent(offsets, (long)n + 2);
    tile_extent(lengths, (long)n + 1);
    tile_contents(lengths, 0, 1 << 10);
    tile_contents(offsets, 0, 1 << 28);
    tile_prefix_sum(offsets, lengths);
    int b = tile_bid(0), first = offsets[b];
    for (int i = 0; i < lengths[b + 1]; i++)
        y[first + i] = 1.0f; // @wrong
}

// EXPECT kernel wrong_length
// EXPECT verdict race
// EXPECT TR001 @wrong @wrong
// EXPECT observable no

/* Of lengths that are not read, how short they get is stated: offsets are at least so far apart. */
tile_kernel void first_of_each(const int *restrict offsets, const int *restrict lengths,
                               float *restrict y)
{
    tile_contents(lengths, 1, 1000);
    tile_prefix_sum(offsets, lengths);
    y[offsets[tile_bid(0)]] = 1.0f;
}

// EXPECT kernel first_of_each
// EXPECT verdict race-free

tile_kernel void sixteen_of_each(const int *restrict offsets, const int *restrict lengths,
                                 float *restrict y)
{
    tile_contents(lengths, 16, 1000);
    tile_prefix_sum(offsets, lengths);
    int first = offsets[tile_bid(0)];
    for (int i = 0; i < 16; i++)
        y[first + i] = 1.0f;
}

// EXPECT kernel sixteen_of_each
// EXPECT verdict race-free
// EXPECT requires contents-range:launch

tile_kernel void sixteen_of_fifteen(const int *restrict offsets, const int *restrict lengths,
                                    float *restrict y)
{
    tile_contents(lengths, 15, 1000);
    tile_prefix_sum(offsets, lengths);
    int first = offsets[tile_bid(0)];
    for (int i = 0; i < 16; i++)
        y[first + i] = 1.0f; // @fifteen
}

// EXPECT kernel sixteen_of_fifteen
// EXPECT verdict race
// EXPECT TR001 @fifteen @fifteen
// EXPECT requires contents-range:launch
// EXPECT observable no

/* All offsets are 0: that they differ is no precondition. */
tile_kernel void first_of_none(const int *restrict offsets, const int *restrict lengths,
                               float *restrict y)
{
    tile_contents(lengths, 0, 0);
    tile_prefix_sum(offsets, lengths);
    y[offsets[tile_bid(0)]] = 1.0f; // @nothing
}

// EXPECT kernel first_of_none
// EXPECT verdict race
// EXPECT TR001 @nothing @nothing
// EXPECT observable no

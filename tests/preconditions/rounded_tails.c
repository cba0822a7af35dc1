/* A branch lets a block begin in front of an end, and its tile goes past it: what is asked reaches
 * to the end of that tile, and no further. */
#include <tile.h>

/* The last tile, of lanes without a mask. */
tile_kernel void plain(float *restrict y, int n)
{
    int b = tile_bid(0);
    if (b * 64 < n)
        tile_store_ptr(tile_pointers(y, tile_iota(64) + b * 64), tile_zeros(float, 64));
}

// EXPECT kernel plain
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch
// EXPECT asks 'y' holds at least cdiv(n, 64) * 64 elements

/* The end stands in a buffer; lanes past the table name element 0. */
tile_kernel void looked_up(float *restrict y, const int *restrict total, const int *restrict ids,
                           int n)
{
    tile_extent(ids, n);
    int b = tile_bid(0);
    if (b * 128 < total[0]) { // @end
        tile i = tile_iota(128) + b * 128;
        tile id = tile_load_masked(tile_pointers(ids, i), tile_lt(i, n), 0);
        tile_store_ptr(tile_pointers(y, id), tile_zeros(float, 128)); // @rows
    }
}

// EXPECT kernel looked_up
// EXPECT verdict conditional
// EXPECT TR004 @rows @rows
// EXPECT observable no
// EXPECT requires in-bounds:race unique-contents:race
// EXPECT asks cdiv(total[0], 128) * 128 <= n
// EXPECT asks no two elements of 'ids' are equal

/* Whole tiles alone. */
tile_kernel void whole(float *restrict y, int n)
{
    int b = tile_bid(0);
    if (b * 64 + 64 <= n)
        tile_store_ptr(tile_pointers(y, tile_iota(64) + b * 64), tile_zeros(float, 64));
}

// EXPECT kernel whole
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch
// EXPECT asks 'y' holds at least n / 64 * 64 elements

/* Behind a header, up to the end of two lists. */
tile_kernel void of_two(float *restrict y, int n, int m)
{
    int b = tile_bid(0);
    if (b * 32 < n + m)
        tile_store_ptr(tile_pointers(y, tile_iota(32) + b * 32 + 8), tile_zeros(float, 32));
}

// EXPECT kernel of_two
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT asks n + m <= 2147483647
// EXPECT asks n + m >= -2147483648
// EXPECT asks 'y' holds at least cdiv(n + m, 32) * 32 + 8 elements

/* Tiles that move by less than they hold meet, whatever the end. */
tile_kernel void half_apart(float *restrict y, int n)
{
    int b = tile_bid(0);
    if (b * 32 < n)
        tile_store_ptr(tile_pointers(y, tile_iota(64) + b * 32), tile_zeros(float, 64)); // @half
}

// EXPECT kernel half_apart
// EXPECT verdict race
// EXPECT TR001 @half @half
// EXPECT observable no
// EXPECT requires in-bounds:launch

/* A step of three rows of a width that the launch chooses: nothing to round to. */
tile_kernel void by_width(float *restrict y, int n, int w)
{
    int b = tile_bid(0);
    if (b * w + 64 <= n && w >= 64)
        tile_store_ptr(tile_pointers(y, tile_iota(64) + b * w), tile_zeros(float, 64));
}

// EXPECT kernel by_width
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT asks w * grid.x <= w + 2147483583
// EXPECT asks w <= w * grid.x + 2147483648
// EXPECT asks 'y' holds at least n elements

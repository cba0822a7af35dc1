/* Elements of a 64-bit table that are cut to an index of 32 bits. That they fit is asked for, by
 * itself: it says nothing of which of them are equal. A launch that breaks it may race, as an
 * element and one 2^32 further are one index. */
#include <tile.h>

tile_kernel void scattered(float *restrict y, const long *restrict t, const float *restrict x,
                           int n)
{
    tile at = tile_iota(128) + tile_bid(0) * 128;
    tile inside = tile_lt(at, n);
    tile row = tile_cast(tile_load_masked(tile_pointers(t, at), inside, 0l), int);
    tile value = tile_load_masked(tile_pointers(x, at), inside, 0.0f);
    tile_store_masked(tile_pointers(y, row), value, inside); // @scattered
}
// EXPECT kernel scattered
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race unique-contents:race
// EXPECT asks every element of 't' is at least -2147483648 and below 2147483648
// EXPECT asks no two elements of 't' are equal
// EXPECT TR001 @scattered @scattered
// EXPECT TR004 @scattered
// EXPECT TR004 @scattered

tile_kernel void whole_tiles(float *restrict y, const long *restrict t)
{
    tile at = tile_iota(128) + tile_bid(0) * 128;
    tile row = tile_cast(tile_load_ptr(tile_pointers(t, at)), int);
    tile_store_ptr(tile_pointers(y, row), 1.0f); // @whole_tiles
}
// EXPECT kernel whole_tiles
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race in-bounds:launch unique-contents:race
// EXPECT TR001 @whole_tiles @whole_tiles
// EXPECT TR004 @whole_tiles
// EXPECT TR004 @whole_tiles

tile_kernel void one_element(float *restrict y, const long *restrict t)
{
    int row = (int)t[tile_bid(0)];
    y[row] = 1.0f; // @one_element
}
// EXPECT kernel one_element
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race unique-contents:race
// EXPECT TR001 @one_element @one_element
// EXPECT TR001 @one_element @one_element

tile_kernel void unique_elements(float *restrict y, const long *restrict t)
{
    tile_unique(t);
    int row = (int)t[tile_bid(0)];
    y[row] = 1.0f; // @unique_elements
}
// EXPECT kernel unique_elements
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race
// EXPECT TR001 @unique_elements @unique_elements

tile_kernel void stated_to_fit(float *restrict y, const long *restrict t)
{
    tile_unique(t);
    tile_contents(t, 0, 100000);
    int row = (int)t[tile_bid(0)];
    y[row] = 1.0f;
}
// EXPECT kernel stated_to_fit
// EXPECT verdict race-free

/* A bound that is stated wider than an index is still met by launches that fit. */
tile_kernel void stated_beyond(float *restrict y, const long *restrict t)
{
    tile_unique(t);
    tile_contents(t, 0, 8589934592);
    int row = (int)t[tile_bid(0)];
    y[row] = 1.0f; // @stated_beyond
}
// EXPECT kernel stated_beyond
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race
// EXPECT asks every element of 't' is below 2147483648
// EXPECT TR001 @stated_beyond @stated_beyond

tile_kernel void rows_below(float *restrict y, const long *restrict t, int n)
{
    int row = (int)t[tile_bid(0)];
    if (row >= 0 && row < n)
        y[row] = 1.0f; // @rows_below
}
// EXPECT kernel rows_below
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:race unique-contents:race
// EXPECT asks every element of 't' is at least -2147483648 and below 2147483648
// EXPECT asks no two elements of 't' are equal, among those with value >= 0 && value < n
// EXPECT TR001 @rows_below @rows_below
// EXPECT TR001 @rows_below @rows_below

tile_kernel void segments(float *restrict y, const long *restrict ends)
{
    int b = tile_bid(0);
    for (int i = (int)ends[b]; i < (int)ends[b + 1]; i++)
        y[i] = 1.0f; // @segments
}
// EXPECT kernel segments
// EXPECT verdict conditional
// EXPECT observable no
// EXPECT requires contents-range:launch increasing-contents:race
// EXPECT TR001 @segments @segments

/* No index: what is left of the element decides a branch, and any value does. */
tile_kernel void decides_a_branch(float *restrict y, const long *restrict t)
{
    int b = tile_bid(0);
    if ((int)t[b] > 0)
        y[b] = 1.0f;
}
// EXPECT kernel decides_a_branch
// EXPECT verdict race-free

/* That they fit tells no two of them apart. */
tile_kernel void halved(float *restrict y, const long *restrict t)
{
    tile_unique(t);
    int b = tile_bid(0);
    y[(long)(int)t[b] / 2] = 1.0f; // @halved
}
// EXPECT kernel halved
// EXPECT verdict race
// EXPECT observable no
// EXPECT requires contents-range:launch
// EXPECT TR001 @halved @halved

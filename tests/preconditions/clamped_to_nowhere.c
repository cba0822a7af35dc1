/* A place behind the end, where nothing is stored, for what is not to be stored: `i < n ? i : n`.
 * The place has to lie behind the end that the store is masked at. A clamp that the store is not
 * masked by is another thing: it is never asked not to clamp. */
#include <tile.h>

tile_kernel void nowhere(float *restrict y, int n, int end)
{
    int i = tile_bid(0), at = i < n ? i : n;
    if (at < end)
        y[at] = 1.0f; // @nowhere
}

// EXPECT kernel nowhere
// EXPECT verdict conditional
// EXPECT TR001 @nowhere @nowhere
// EXPECT requires in-bounds:race
// EXPECT asks end <= n
// EXPECT observable no

tile_kernel void nowhere_by_min(float *restrict y, int n, int end)
{
    tile at = tile_minimum(tile_iota(16) + 16 * tile_bid(0), n);
    tile_store_masked(tile_pointers(y, at), tile_full(1.0f, 16), tile_lt(at, end)); // @by_min
}

// EXPECT kernel nowhere_by_min
// EXPECT verdict conditional
// EXPECT TR004 @by_min
// EXPECT requires in-bounds:race
// EXPECT observable no

tile_kernel void nowhere_in_rows(float *restrict y, int n, int end)
{
    int i = tile_bid(0), at = tile_min(i, n);
    if (at < end)
        y[at * 4 + 3] = 1.0f; // @rows
}

// EXPECT kernel nowhere_in_rows
// EXPECT verdict conditional
// EXPECT TR001 @rows @rows
// EXPECT requires in-bounds:race
// EXPECT observable no

tile_kernel void nowhere_below(float *restrict y, int first)
{
    int i = tile_bid(0) - first, at = tile_max(i, -1);
    if (at >= 0)
        y[at] = 1.0f;
}

// EXPECT kernel nowhere_below
// EXPECT verdict race-free
// EXPECT requires no-wrap

tile_kernel void masked_before(float *restrict y, int n, int end)
{
    int i = tile_bid(0), at = tile_min(i, n);
    if (i < end)
        y[at] = 1.0f; // @before
}

// EXPECT kernel masked_before
// EXPECT verdict race
// EXPECT TR001 @before @before
// EXPECT observable no

tile_kernel void masked_before_in_tiles(float *restrict y, int n, int end)
{
    tile i = tile_iota(16) + 16 * tile_bid(0);
    tile at = tile_pointers(y, tile_minimum(i, n));
    tile_store_masked(at, tile_full(1.0f, 16), tile_lt(i, end)); // @before_in_tiles
}

// EXPECT kernel masked_before_in_tiles
// EXPECT verdict race
// EXPECT TR001 @before_in_tiles @before_in_tiles
// EXPECT TR004 @before_in_tiles
// EXPECT observable no

tile_kernel void last_taken_twice(float *restrict y, int n)
{
    int i = tile_bid(0), at = tile_min(i, n - 1);
    if (at < n)
        y[at] = 1.0f; // @last
}

// EXPECT kernel last_taken_twice
// EXPECT verdict race
// EXPECT TR001 @last @last
// EXPECT requires no-wrap
// EXPECT observable no

tile_kernel void wraps_round(float *restrict y, int n, int end)
{
    tile_assume(n > 0);
    int i = tile_bid(0), at = i % n;
    if (i < end)
        y[at] = 1.0f; // @round
}

// EXPECT kernel wraps_round
// EXPECT verdict race
// EXPECT TR001 @round @round
// EXPECT observable no

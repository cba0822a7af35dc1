/* A guard that lets one element too many into a row. A row so long that the guard never guards
 * would excuse it. */
#include <tile.h>

enum { T = 64 };

tile_kernel void mask_with_end(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_le(e, n)); // @mask
}

tile_kernel void mask_before_end(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_lt(e, n));
}

tile_kernel void late_break(float *restrict x, int n)
{
    tile_assume(n > 0);
    for (int i = 0; i < T; i++) {
        if (i > n)
            break;
        x[tile_bid(0) * n + i] = 1.0f; // @break
    }
}

tile_kernel void loop_to_smaller(float *restrict x, int n)
{
    tile_grid(8);
    tile_assume(n > 0 && n < 1000);
    for (int i = 0; i <= tile_min(n, T - 1); i++)
        x[tile_bid(0) * n + i] = 1.0f; // @smaller
}

tile_kernel void either(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    for (int i = 0; i < T; i++)
        if (i < n || b == 0)
            x[b * n + i] = 1.0f; // @either
}

tile_kernel void not_the_end(float *restrict x, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_ne(e, n)); // @not_end
}

/* The guard is of contents: positions up to the end, and the end. */
tile_kernel void position_with_end(float *restrict x, const int *restrict pos, int n)
{
    tile_assume(n > 0);
    int b = tile_bid(0), p = pos[b];
    if (p >= 0 && p <= n)
        x[b * n + p] = 1.0f; // @position
}

/* No guard: a row has to hold the tile. */
tile_kernel void unguarded(float *restrict x, int n)
{
    int b = tile_bid(0);
    tile_store_ptr(tile_pointers(x, b * n + tile_iota(T)), 1.0f); // @unguarded
}

/* The guard is of another extent than the row's length, and still guards. */
tile_kernel void other_extent(float *restrict x, int m, int n)
{
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * n + e), 1.0f, tile_lt(e, m)); // @other
}

/* One of two ends is one too many: as wide as a tile it would not be one. */
tile_kernel void either_end(float *restrict x, int m, int n)
{
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * (m - 1) + e), 1.0f, tile_lt(e, tile_min(n, m))); // @ends
}

tile_kernel void before_either_end(float *restrict x, int m, int n)
{
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * m + e), 1.0f, tile_lt(e, tile_min(n, m)));
}

tile_kernel void pitch_of_either(float *restrict x, int m, int n, int pitch)
{
    int b = tile_bid(0);
    tile e = tile_iota(T);
    tile_store_masked(tile_pointers(x, b * pitch + e), 1.0f, tile_lt(e, tile_min(n, m))); // @pitch
}

// EXPECT kernel mask_with_end
// EXPECT verdict race
// EXPECT TR001 @mask @mask
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel mask_before_end
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel late_break
// EXPECT verdict race
// EXPECT TR001 @break @break
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel loop_to_smaller
// EXPECT verdict race
// EXPECT TR001 @smaller @smaller
// EXPECT observable no

// EXPECT kernel either
// EXPECT verdict race
// EXPECT TR001 @either @either
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel not_the_end
// EXPECT verdict race
// EXPECT TR001 @not_end @not_end
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel position_with_end
// EXPECT verdict race
// EXPECT TR001 @position @position
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel unguarded
// EXPECT verdict conditional
// EXPECT TR001 @unguarded @unguarded
// EXPECT requires in-bounds:launch no-wrap:launch stride-relation:race

// EXPECT kernel other_extent
// EXPECT verdict conditional
// EXPECT TR001 @other @other
// EXPECT requires no-wrap:launch stride-relation:race

// EXPECT kernel either_end
// EXPECT verdict race
// EXPECT TR001 @ends @ends
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel before_either_end
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

// EXPECT kernel pitch_of_either
// EXPECT verdict conditional
// EXPECT TR001 @pitch @pitch
// EXPECT requires no-wrap:launch stride-relation:race

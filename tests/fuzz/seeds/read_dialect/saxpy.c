/* y = alpha * x + y in place, through pointers: a mask does what a view's bounds would do. */
#include <tile.h>

enum { TILE = 1024 };

tile_kernel void saxpy(const float *x, float *y, float alpha, int n)
{
    tile_grid(tile_cdiv(n, TILE));
    tile_assume(0 < n && n <= 1 << 30);
    tile_extent(x, n);
    tile_extent(y, n);

    tile i = tile_bid(0) * TILE + tile_iota(TILE);
    tile inside = tile_lt(i, n); /* pointers know no extent: the last tile needs this */

    tile old = tile_load_masked(tile_pointers(y, i), inside, 0.0f);
    tile add = tile_load_masked(tile_pointers(x, i), inside, 0.0f);
    tile_store_masked(tile_pointers(y, i), alpha * add + old, inside);
}

// EXPECT verdict race-free

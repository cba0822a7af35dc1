// A slice beyond its tile is undefined: what is made of it is nothing that a proof may use.
#include <tile.h>

tile_kernel void slice_outside(float *x, int n)
{
    tile_grid(4);
    tile_assume(n >= 0 && n <= 4);
    tile t = tile_extract(tile_iota(8), tile_shape(4), n); // @slice
    tile_store_masked(tile_pointers(x, t + 8 * tile_bid(0)), tile_full(1.0f, 4), tile_ge(t, 8));
}

// EXPECT verdict race-free
// EXPECT TR007 @slice

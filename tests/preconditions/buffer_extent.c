/* Nothing is masked: the last block writes up to 63 elements beyond n. */
#include <tile.h>

tile_kernel void unmasked(const float *x, float *y, int n)
{
    tile_grid(tile_cdiv(n, 64));
    tile_assume(n > 0 && n < 1 << 28);
    tile i = tile_bid(0) * 64 + tile_iota(64);
    tile_store_ptr(tile_pointers(y, i), tile_load_ptr(tile_pointers(x, i)));
}

tile_kernel void unmasked_nothing_stated(float *y)
{
    tile_store_ptr(tile_pointers(y, tile_bid(0) * 128 + tile_iota(128)), 1.0f);
}

tile_kernel void unmasked_restrict(const float *restrict x, float *restrict y, int n)
{
    tile_grid(tile_cdiv(n, 64));
    tile_assume(n > 0 && n < 1 << 28);
    tile i = tile_bid(0) * 64 + tile_iota(64);
    tile_store_ptr(tile_pointers(y, i), tile_load_ptr(tile_pointers(x, i)));
}

tile_kernel void unmasked_rows(float *y, int pitch)
{
    tile r = tile_expand(tile_bid(0) * 16 + tile_iota(16), 1), c = tile_expand(tile_iota(32), 0);
    tile_store_masked(tile_pointers(y, r * pitch + c), 1.0f, tile_lt(c, pitch));
}

// EXPECT kernel unmasked
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

// EXPECT kernel unmasked_restrict
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

// EXPECT kernel unmasked_nothing_stated
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

// EXPECT kernel unmasked_rows
// EXPECT verdict race-free
// EXPECT requires no-wrap:launch

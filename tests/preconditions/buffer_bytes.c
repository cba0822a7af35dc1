/* Read at another width than the argument's element. */
#include <tile.h>

tile_kernel void words(const unsigned char *bytes, int *y, int n)
{
    tile i = tile_bid(0) * 64 + tile_iota(64);
    tile in = tile_lt(i, n);
    tile p = tile_ptr_cast(tile_pointers(bytes, i * 4), int);
    tile_store_masked(tile_pointers(y, i), tile_load_masked(p, in, 0), in);
}

tile_kernel void one_long(const int *pairs, long *y, int n)
{
    int i = tile_bid(0);
    if (i < n)
        y[i] = tile_to_long(tile_load_ptr(tile_ptr_cast(tile_pointers(pairs, i * 2), long)));
}

tile_kernel void halves(float *y, int n)
{
    tile i = tile_bid(0) * 64 + tile_iota(64);
    tile p = tile_ptr_cast(tile_pointers(y, i * 2), double);
    tile_store_masked(p, tile_cast(i, double), tile_lt(i, n));
}

// EXPECT kernel words
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch no-wrap:launch

// EXPECT kernel one_long
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

// EXPECT kernel halves
// EXPECT verdict race-free
// EXPECT requires in-bounds:launch

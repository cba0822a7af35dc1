/* A slot for each block, of fewer slots than blocks: the remainder brings two blocks together. That
 * there are no more blocks than slots would make the remainder do nothing. */
#include <tile.h>

tile_kernel void wrapped(float *y, int slots)
{
    y[tile_bid(0) % slots] = 1.0f; // @wrapped
}

tile_kernel void wrapped_rows(float *y, int slots)
{
    int slot = (tile_bid(0) * 2 + tile_bid(1)) % slots;
    tile_store_ptr(tile_pointers(y, slot * 64 + tile_iota(64)), 1.0f); // @rows
}

tile_kernel void wrapped_eight(float *y)
{
    tile_view out = tile_partition(tile_tensor(y, 8, 64), 1, 64);
    tile_store(out, tile_full(1.0f, 1, 64), tile_bid(0) % 8, 0); // @eight
}

// EXPECT kernel wrapped
// EXPECT verdict race
// EXPECT TR001 @wrapped @wrapped
// EXPECT requires positive-divisor:launch
// EXPECT observable no

// EXPECT kernel wrapped_rows
// EXPECT verdict race
// EXPECT TR001 @rows @rows
// EXPECT requires in-bounds:launch no-wrap:launch positive-divisor:launch
// EXPECT observable no

// EXPECT kernel wrapped_eight
// EXPECT verdict race
// EXPECT TR001 @eight @eight
// EXPECT observable no

/* Rows whose pitch holds one step of the inner loop, or one tile: nothing but a single iteration
 * would keep them apart. */
#include <tile.h>

enum { STEP = 128 };

tile_kernel void pitched(float *y, int n)
{
    tile_view out = tile_partition(
        tile_tensor_strided(y, tile_shape(tile_grid_extent(0), n), tile_strides(STEP, 1)), 1, STEP);
    for (int c = 0; c < tile_tiles(out, 1); c++)
        tile_store(out, tile_zeros(float, 1, STEP), tile_bid(0), c); // @pitched
}

tile_kernel void pitched_pointers(float *y, int steps)
{
    for (int c = 0; c < steps; c++) {
        tile at = (tile_bid(0) + c) * STEP + tile_iota(STEP);
        tile_store_ptr(tile_pointers(y, at), 1.0f); // @steps
    }
}

tile_kernel void pitched_heads(float *y, int heads)
{
    for (int h = 0; h < heads; h++)
        y[tile_bid(0) + h] = 1.0f; // @heads
}

// EXPECT kernel pitched
// EXPECT verdict race
// EXPECT TR001 @pitched @pitched
// EXPECT requires no-wrap:launch
// EXPECT observable no

// EXPECT kernel pitched_pointers
// EXPECT verdict race
// EXPECT TR001 @steps @steps
// EXPECT requires in-bounds:launch no-wrap:launch
// EXPECT observable no

// EXPECT kernel pitched_heads
// EXPECT verdict race
// EXPECT TR001 @heads @heads
// EXPECT requires no-wrap:launch
// EXPECT observable no

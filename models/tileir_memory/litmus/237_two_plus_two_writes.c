/* 237. Two blocks store to x and y in opposite orders, token-ordered, all relaxed with scope
 * device. Race-free (A2). Both elements may end with the value that was stored there first:
 * coherence orders the writes of one element, but not those of two (A4, A8). */
#include <tile.h>

tile_kernel void two_plus_two_writes(int *x, int *y)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(y, 1);

    tile at_x = tile_pointers(x, 0), at_y = tile_pointers(y, 0);
    if (tile_bid(0) == 0) {
        token t = tile_store_masked_tko(at_x, 1, true, TILE_RELAXED, TILE_DEVICE, after_none);
        tile_store_masked_tko(at_y, 2, true, TILE_RELAXED, TILE_DEVICE, after(t));
    } else {
        token t = tile_store_masked_tko(at_y, 1, true, TILE_RELAXED, TILE_DEVICE, after_none);
        tile_store_masked_tko(at_x, 2, true, TILE_RELAXED, TILE_DEVICE, after(t));
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2
// OUTCOME allowed x[0]=1 y[0]=1
// OUTCOME allowed x[0]=2 y[0]=2

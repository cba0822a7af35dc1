/* 163. As 134, but the amount is a parameter that may be 0. Race: two blocks then take one ticket
 * (A1, A3). */
#include <tile.h>

tile_kernel void ticket_amount_param(int *x, int *next, int blocks, int step)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10 && 0 <= step && step <= 4);
    tile_extent(x, blocks);
    tile_extent(next, 1);
    tile_contents(next, 0, 0);

    token drawn;
    tile at = tile_pointers(next, 0);
    int t = tile_to_int(
        tile_atomic_tko(TILE_ADD, at, step, true, TILE_RELAXED, TILE_DEVICE, after_none, &drawn));
    if (0 <= t && t < blocks)
        tile_store_ptr_tko(tile_pointers(x, t), 1, after_none); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2 step 0

/* 166. As 134, but a block also subtracts 1 from the counter. Race: a ticket may be given twice
 * (A1, A3). */
#include <tile.h>

tile_kernel void ticket_sub(int *x, int *next, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(x, blocks);
    tile_extent(next, 1);
    tile_contents(next, 0, 0);

    token drawn;
    tile at = tile_pointers(next, 0);
    if (tile_bid(0) == 0)
        tile_atomic_tko(TILE_ADD, at, -1, true, TILE_RELAXED, TILE_DEVICE, after_none, &drawn);
    int t = tile_to_int(
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &drawn));
    if (0 <= t && t < blocks)
        tile_store_ptr_tko(tile_pointers(x, t), 1, after_none); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 3 blocks 3

/* 117. In one block an update with scope device and a load with scope tl_blk, no token. Race-free:
 * both scopes include the block itself (A2). Which value is read is not determined (A8). */
#include <tile.h>

tile_kernel void own_scopes(int *c, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(c, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(c, tile_bid(0));
    token added, loaded;
    tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &added);
    tile v = tile_load_masked_tko(at, true, 0, TILE_RELAXED, TILE_BLOCK, after_none, &loaded);
    tile_store_ptr_tko(tile_pointers(seen, tile_bid(0)), v, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

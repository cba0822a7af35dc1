/* 133. In one block an acquire is between a store and a load, without tokens. Race: in its own
 * block, an acquire orders only what takes its token (D11, D18). */
#include <tile.h>

tile_kernel void acquire_orders_nothing_else(int *x, int *flag, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);
    tile_extent(flag, 1);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    token looked, loaded;
    tile_store_ptr_tko(at, 1, after_none); // @store
    tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE, after_none,
                         &looked);
    tile v = tile_load_ptr_tko(at, after_none, &loaded); // @load
    tile_store_ptr_tko(tile_pointers(seen, tile_bid(0)), v, after_none);
}

// EXPECT verdict race
// EXPECT TR003 @store @load
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

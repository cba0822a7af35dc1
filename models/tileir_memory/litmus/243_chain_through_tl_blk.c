/* 243. Block 0 releases with scope device, block 1 adds with scope tl_blk, block 2 acquires the
 * result. Race: the update's scope includes none of the other blocks, so it passes nothing on (D19,
 * D20), and it races itself. */
#include <tile.h>

tile_kernel void chain_through_tl_blk(int *x, int *flag, int *seen)
{
    tile_grid(3);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    tile at = tile_pointers(flag, 0);
    token looked, loaded;
    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);        // @store
        tile_store_masked_tko(at, 1, true, TILE_RELEASE, TILE_DEVICE, after(stored)); // @raise
    } else if (tile_bid(0) == 1) {
        tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_BLOCK, after_none, // @add
                        &looked);
    } else {
        tile f = tile_load_masked_tko(at, true, 0, TILE_ACQUIRE, TILE_DEVICE, after_none, // @look
                                      &looked);
        if (tile_to_int(f) == 2) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR019 @store @load
// EXPECT TR006 @raise @add
// EXPECT TR006 @add @look
// EXPECT observable yes
// LAUNCH grid 3

/* 114. As 113, acquired with scope tl_blk. Race on the flag, and on the datum that it guards: to be
 * morally strong, both scopes have to include the other block (A2, D19). */
#include <tile.h>

tile_kernel void mp_acquire_tl_blk(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    tile up = tile_pointers(flag, 0);
    tile_view F = tile_partition(tile_tensor(flag, 1), 1);
    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);        // @store
        tile_store_masked_tko(up, 1, true, TILE_RELEASE, TILE_DEVICE, after(stored)); // @raise
    } else {
        token looked, loaded;
        tile f = tile_load_tko_at(F, TILE_ACQUIRE, TILE_BLOCK, after_none, &looked, 0); // @look
        if (tile_to_int(f) == 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR006 @raise @look
// EXPECT TR006 @store @load
// EXPECT observable yes
// LAUNCH grid 2

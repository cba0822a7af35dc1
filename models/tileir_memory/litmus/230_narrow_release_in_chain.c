/* 230. A release with scope tl_blk, and after it an update with scope device by the same block; the
 * other block acquires the update's value. Race: release and acquire have to be morally strong
 * (D19), and the release's scope does not include the other block, however wide the scope of the
 * update between them is. */
#include <tile.h>

tile_kernel void narrow_release_in_chain(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none); // @store
        token raised =
            tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, // @raise
                                  TILE_BLOCK, after(stored));
        token added;
        tile_atomic_tko(TILE_ADD, tile_pointers(flag, 0), 1, true, TILE_RELAXED, TILE_DEVICE,
                        after(raised), &added);
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, // @look
                                      TILE_DEVICE, after_none, &looked);
        if (tile_to_int(f) == 2) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR006 @store @load
// EXPECT TR006 @raise @look
// EXPECT observable yes
// LAUNCH grid 2

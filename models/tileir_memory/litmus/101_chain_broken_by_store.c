/* 101. As 100, but block 1 reads 1 and stores 2 by two accesses. Race: a store is not an update, so
 * it does not pass on what was released (D20). */
#include <tile.h>

tile_kernel void chain_broken_by_store(int *x, int *flag, int *seen)
{
    tile_grid(3);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none); // @store
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else if (tile_bid(0) == 1) {
        token looked;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_RELAXED, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile_store_masked_tko(tile_pointers(flag, 0), 2, true, TILE_RELAXED, TILE_DEVICE,
                                  after(looked));
        }
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 2) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR014 @store @load
// EXPECT observable yes
// LAUNCH grid 3

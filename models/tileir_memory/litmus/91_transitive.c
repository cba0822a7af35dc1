/* 91. Block 0 stores and raises a flag, block 1 reads it and raises another flag, block 2 reads
 * that flag and loads. Race-free: happens-before is transitive over synchronisation and the token
 * from acquire to release in the middle (D18, D21). */
#include <tile.h>

tile_kernel void transitive(int *x, int *flag, int *seen)
{
    tile_grid(3);
    tile_extent(x, 1);
    tile_extent(flag, 2);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);
    tile_contents(x, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else if (tile_bid(0) == 1) {
        token looked;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile_store_masked_tko(tile_pointers(flag, 1), 1, true, TILE_RELEASE, TILE_DEVICE,
                                  after(looked));
        }
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 1), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded);
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 3
// OUTCOME allowed r0=1 r1=1 r2=1
// OUTCOME forbidden r1=1 r2=0

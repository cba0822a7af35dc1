/* 108. Message passing in both directions: block 0 stores and raises a flag; block 1 reads it,
 * stores the same element and raises another flag; block 0 reads that flag and loads. Race-free:
 * each step is synchronised (D18, D21). */
#include <tile.h>

tile_kernel void handshake(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 2);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);
    tile_contents(x, 0, 0);

    if (tile_bid(0) == 0) {
        token looked, loaded;
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        token raised = tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE,
                                             TILE_DEVICE, after(stored));
        tile f = tile_load_masked_tko(tile_pointers(flag, 1), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after(raised), &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded);
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    } else {
        token looked;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            token stored = tile_store_ptr_tko(tile_pointers(x, 0), 2, after(looked));
            tile_store_masked_tko(tile_pointers(flag, 1), 1, true, TILE_RELEASE, TILE_DEVICE,
                                  after(stored));
        }
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2
// OUTCOME allowed r0=1 r1=2
// OUTCOME forbidden r0=1 r1=1
// OUTCOME forbidden r0=1 r1=0

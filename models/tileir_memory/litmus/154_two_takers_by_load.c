/* 154. As 153, but both blocks read the flag by a load. Race between the two: each may read 1, and
 * nothing orders them (A3). */
#include <tile.h>

tile_kernel void two_takers_by_load(int *x, int *flag, int *seen)
{
    tile_grid(3);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else if (tile_bid(0) == 1) {
        token looked;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile_store_ptr_tko(tile_pointers(x, 0), 2, after(looked)); // @one
        }
    } else {
        token looked;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile_store_ptr_tko(tile_pointers(x, 0), 3, after(looked)); // @two
        }
    }
}

// EXPECT verdict race
// EXPECT TR001 @one @two
// EXPECT observable yes
// LAUNCH grid 3

/* 180. The datum is stored on one branch, and its token is lost there; the flag is raised in any
 * case. Race if the branch was taken (D13, D18). */
#include <tile.h>

tile_kernel void flag_dropped_branch(int *x, int *flag, int *seen, int c)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = make_token();
        if (c > 0)
            tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none); // @store
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) == 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR016 @store @load
// EXPECT observable yes
// LAUNCH grid 2 c 1

/* 109. Message passing with a wait: the consumer loops until the flag is up. Race-free: after the
 * loop, the last acquire read 1 (D18). No rule says that both blocks run at the same time, so the
 * consumer may wait for a long time (D24). */
#include <tile.h>

tile_kernel void spin(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none);
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        token looked, loaded;
        while (tile_to_int(tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE,
                                                TILE_DEVICE, after_none, &looked)) == 0)
            ;
        tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2
// OUTCOME always seen[0]=1

/* 182. The producer stores one element repeatedly, and counts. The consumer loads it after reading
 * 1 or more. Race with the next store: nothing makes the producer wait (A3). */
#include <tile.h>

tile_kernel void single_slot(int *x, int *flag, int *seen, int n)
{
    tile_grid(2);
    tile_assume(1 < n && n <= 1 << 10);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, n);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token last = make_token();
        for (int i = 0; i < n; i++) {
            token stored = tile_store_ptr_tko(tile_pointers(x, 0), i, after(last)); // @store
            last = tile_store_masked_tko(tile_pointers(flag, 0), i + 1, true, TILE_RELEASE,
                                         TILE_DEVICE, after(stored));
        }
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) >= 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, 0), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 2 n 2

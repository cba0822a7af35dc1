/* 184. The producer counts down from n, and the consumer waits for 1 or more. Race: any of the
 * releases may be the observed one (D18). */
#include <tile.h>

tile_kernel void flag_counts_down(int *x, int *flag, int *seen, int n)
{
    tile_grid(2);
    tile_assume(1 < n && n <= 1 << 10);
    tile_extent(x, n);
    tile_extent(flag, 1);
    tile_extent(seen, 1);

    if (tile_bid(0) == 0) {
        token last = make_token();
        for (int i = 0; i < n; i++) {
            token stored = tile_store_ptr_tko(tile_pointers(x, i), i, after(last)); // @store
            last = tile_store_masked_tko(tile_pointers(flag, 0), n - i, true, TILE_RELEASE,
                                         TILE_DEVICE, after(stored));
        }
    } else {
        token looked, loaded;
        tile f = tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE, TILE_DEVICE,
                                      after_none, &looked);
        if (tile_to_int(f) >= 1) {
            tile v = tile_load_ptr_tko(tile_pointers(x, n - 1), after(looked), &loaded); // @load
            tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
        }
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 2 n 2

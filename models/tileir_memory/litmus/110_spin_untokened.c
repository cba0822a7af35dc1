/* 110. As 109, but the load does not take the token of the last acquire. Race: that the loop has
 * ended orders no memory (D11, D18). */
#include <tile.h>

tile_kernel void spin_untokened(int *x, int *flag, int *seen)
{
    tile_grid(2);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);

    if (tile_bid(0) == 0) {
        token stored = tile_store_ptr_tko(tile_pointers(x, 0), 1, after_none); // @store
        tile_store_masked_tko(tile_pointers(flag, 0), 1, true, TILE_RELEASE, TILE_DEVICE,
                              after(stored));
    } else {
        token looked, loaded;
        while (tile_to_int(tile_load_masked_tko(tile_pointers(flag, 0), true, 0, TILE_ACQUIRE,
                                                TILE_DEVICE, after_none, &looked)) == 0)
            ;
        tile v = tile_load_ptr_tko(tile_pointers(x, 0), after_none, &loaded); // @load
        tile_store_ptr_tko(tile_pointers(seen, 0), v, after_none);
    }
}

// EXPECT verdict race
// EXPECT TR017 @store @load
// EXPECT observable yes
// LAUNCH grid 2

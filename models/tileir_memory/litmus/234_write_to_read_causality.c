/* 234. Block 0 stores x, block 1 reads that and then raises y, block 2 reads y and loads x, all
 * scoped. Race-free (A2). With releases and acquires everywhere, block 2 reads the new x:
 * happens-before is transitive over three blocks (D21), and A7 forbids the old value. */
#include <tile.h>

tile_kernel void write_to_read_causality(int *x, int *y, int *seen)
{
    tile_grid(3);
    tile_extent(x, 1);
    tile_extent(y, 1);
    tile_extent(seen, 1);
    tile_contents(x, 0, 0);
    tile_contents(y, 0, 0);

    tile at_x = tile_pointers(x, 0), at_y = tile_pointers(y, 0);
    token looked, loaded;
    if (tile_bid(0) == 0) {
        tile_store_masked_tko(at_x, 1, true, TILE_RELEASE, TILE_DEVICE, after_none);
    } else if (tile_bid(0) == 1) {
        tile v =
            tile_load_masked_tko(at_x, true, 0, TILE_ACQUIRE, TILE_DEVICE, after_none, &looked);
        tile_store_masked_tko(at_y, v, true, TILE_RELEASE, TILE_DEVICE, after(looked));
    } else {
        tile f =
            tile_load_masked_tko(at_y, true, 0, TILE_ACQUIRE, TILE_DEVICE, after_none, &looked);
        tile v =
            tile_load_masked_tko(at_x, true, 0, TILE_RELAXED, TILE_DEVICE, after(looked), &loaded);
        tile_store_ptr_tko(tile_pointers(seen, 0), f + 2 * v, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 3
// OUTCOME allowed r0=1 r1=1 r2=1
// OUTCOME allowed r0=0 r1=0 r2=1
// OUTCOME forbidden r0=1 r1=1 r2=0

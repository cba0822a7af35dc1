/* 123. In one block a store of an int and then a load of one byte of it, with a token. Race-free:
 * rpo does not require equal widths (D16). */
#include <tile.h>

tile_kernel void widths_tokened(int *x, signed char *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    int b = tile_bid(0);
    tile at = tile_pointers(x, b), low = tile_ptr_cast(at, signed char);
    token loaded;
    token stored = tile_store_ptr_tko(at, 7, after_none);
    tile v = tile_load_ptr_tko(low, after(stored), &loaded);
    tile_store_ptr_tko(tile_pointers(seen, b), v, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

/* 240. Neighbouring bools stored by different blocks. Race-free: an i1 has a whole byte (D5),
 * unlike 4-bit elements (118). */
#include <tile.h>

tile_kernel void bools_apart(bool *x, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);

    tile_store_ptr_tko(tile_pointers(x, tile_bid(0)), true, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

/* 132. A store, a print that takes its token, and a load that takes the print's. Race-free: tokens
 * pass through an op that touches no memory (D15). */
#include <tile.h>

tile_kernel void print_passes(int *x, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);
    tile_extent(seen, blocks);

    tile at = tile_pointers(x, tile_bid(0));
    tile to = tile_pointers(seen, tile_bid(0));
    token loaded;
    token stored = tile_store_ptr_tko(at, 1, after_none);
    token said = tile_print_tko(after(stored), "stored\n");
    tile v = tile_load_ptr_tko(at, after(said), &loaded);
    tile_store_ptr_tko(to, v, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

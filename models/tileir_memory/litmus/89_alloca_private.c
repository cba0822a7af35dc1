/* 89. Every block stores to its own memory. Race-free: an alloca is a fresh region of the block
 * (U9), so no two blocks conflict (A1). */
#include <tile.h>

tile_kernel void alloca_private(int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(seen, blocks);

    int *own = tile_alloca(int, 1);
    token loaded;
    token stored = tile_store_ptr_tko(tile_pointers(own, 0), tile_bid(0), after_none);
    tile v = tile_load_ptr_tko(tile_pointers(own, 0), after(stored), &loaded);
    tile_store_ptr_tko(tile_pointers(seen, tile_bid(0)), v, after_none);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3

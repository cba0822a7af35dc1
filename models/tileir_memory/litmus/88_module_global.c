/* 88. All blocks store a module global. Race: it is one object for the whole grid (A1, A3). */
#include <tile.h>

tile_global int last[1] = {0};

tile_kernel void module_global(int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);

    tile_store_ptr_tko(tile_pointers(last, 0), tile_bid(0), after_none); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

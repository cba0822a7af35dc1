/* 65. As 62 with scope tl_blk. Race: each scope includes only its own block (D8, A2, A3). */
#include <tile.h>

tile_kernel void rmw_tl_blk(int *c, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(c, 1);

    tile at = tile_pointers(c, 0);
    token t;
    tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_BLOCK, after_none, &t); // @add
}

// EXPECT verdict race
// EXPECT TR006 @add @add
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

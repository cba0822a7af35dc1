/* 62. All blocks add to one counter, relaxed, device. Race-free: each scope includes the other
 * block (A2), and nothing comes between the two halves of an update (A5). */
#include <tile.h>

tile_kernel void rmw_all(int *c, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(c, 1);
    tile_contents(c, 0, 0);

    tile at = tile_pointers(c, 0);
    token t;
    tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &t);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 3 blocks 3
// OUTCOME forbidden c[0]=0

/* 61. A counter that another GPU updates at the same time, with scope device. Race: the peer is on
 * another device (D8, A2, A10). */
#include <tile.h>

tile_kernel void peer_device(int *flag, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(flag, 1);
    tile_peers(TILE_SYS);

    tile at = tile_pointers(flag, 0);
    token t;
    tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_DEVICE, after_none, &t); // @add
}

// EXPECT verdict race
// EXPECT TR006 @add
// EXPECT observable yes
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

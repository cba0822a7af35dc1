/* 61, with scope sys. Race-free as far as this kernel goes: its updates include the peer, which
 * must use sys as well (D8, A2). */
#include <tile.h>

tile_kernel void peer_sys(int *flag, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(flag, 1);
    tile_peers(TILE_SYS);

    tile at = tile_pointers(flag, 0);
    token t;
    tile_atomic_tko(TILE_ADD, at, 1, true, TILE_RELAXED, TILE_SYS, after_none, &t);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2

/* 211. One of all blocks claims to make a number, and the others wait for it. Race-free: only one
 * block reads 0 (A5), so all others have observed its release (D18). */
#include <tile.h>

tile_kernel void claim_then_flag(int *x, int *state, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(x, 1);
    tile_extent(state, 1);
    tile_extent(seen, blocks);
    tile_contents(state, 0, 0);

    if (tile_to_int(tile_atomic_cas(tile_pointers(state, 0), 0, 1, TILE_RELAXED, TILE_DEVICE)) ==
        0) {
        x[0] = 5;
        tile_store_ptr_at(tile_pointers(state, 0), 2, TILE_RELEASE, TILE_DEVICE);
    }
    while (tile_to_int(tile_atomic_or(tile_pointers(state, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) != 2)
        ;
    seen[tile_bid(0)] = x[0];
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2

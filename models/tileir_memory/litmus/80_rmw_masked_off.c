/* 80. Two blocks update a pair of counters, each with only its own element masked on, and then
 * store that element weakly. Race-free: an element that is masked off makes no event, so neither
 * touches the other's element (D3). */
#include <tile.h>

tile_kernel void rmw_masked_off(int *c)
{
    tile_grid(2);
    tile_extent(c, 2);

    int b = tile_bid(0);
    token added;
    tile both = tile_pointers(c, tile_iota(2)), own = tile_eq(tile_iota(2), b);
    tile_atomic_tko(TILE_ADD, both, 1, own, TILE_RELAXED, TILE_DEVICE, after_none, &added);
    tile_store_ptr_tko(tile_pointers(c, b), 5, after(added));
}

// EXPECT verdict race-free
// LAUNCH grid 2

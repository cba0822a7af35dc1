/* 136. As 134, but the ticket is taken by a load and a store, both relaxed with scope device. No
 * race on the counter (A2), but two blocks may take one ticket: race on the element (A1, A3). */
#include <tile.h>

tile_kernel void ticket_by_load(int *x, int *next, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(x, blocks);
    tile_extent(next, 1);
    tile_contents(next, 0, 0);

    token looked;
    int t = tile_to_int(tile_load_masked_tko(tile_pointers(next, 0), true, 0, TILE_RELAXED,
                                             TILE_DEVICE, after_none, &looked));
    tile_store_masked_tko(tile_pointers(next, 0), t + 1, true, TILE_RELAXED, TILE_DEVICE,
                          after(looked));
    if (0 <= t && t < blocks)
        tile_store_ptr_tko(tile_pointers(x, t), 1, after_none); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable no
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

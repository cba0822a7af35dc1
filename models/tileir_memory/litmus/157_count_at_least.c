/* 157. As 70 with `>=` in place of `==`. Race-free: no block can read more than blocks - 1 (A5), so
 * the block is still the last one. */
#include <tile.h>

tile_kernel void count_at_least(int *part, int *count, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(part, blocks);
    tile_extent(count, 1);
    tile_extent(seen, 1);
    tile_contents(count, 0, 0);

    int b = tile_bid(0);
    token counted, loaded;
    token stored = tile_store_ptr_tko(tile_pointers(part, b), 1, after_none);
    tile before = tile_atomic_tko(TILE_ADD, tile_pointers(count, 0), 1, true, TILE_ACQ_REL,
                                  TILE_DEVICE, after(stored), &counted);
    if (tile_to_int(before) >= blocks - 1) {
        tile sum = tile_full(0, 1);
        for (int p = 0; p < blocks; p++) {
            tile at = tile_pointers(part, tile_full(p, 1));
            sum = sum + tile_load_ptr_tko(at, after(counted), &loaded);
        }
        tile_store_ptr_tko(tile_pointers(seen, tile_full(0, 1)), sum, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

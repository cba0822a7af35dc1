/* 70. Every block stores its part and counts; the block that counts last loads all parts.
 * Race-free: each update reads the preceding one, so the last one acquires from all that released,
 * through the chain of updates (D18, D20), and the count says that there are no others. */
#include <tile.h>

tile_kernel void last_block(int *part, int *count, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20);
    tile_extent(part, blocks);
    tile_extent(count, 1);
    tile_extent(seen, 1);
    tile_contents(count, 0, 0);

    int b = tile_bid(0);
    token counted, loaded;
    token stored = tile_store_ptr_tko(tile_pointers(part, b), 1, after_none);
    tile before = tile_atomic_tko(TILE_ADD, tile_pointers(count, 0), 1, true, TILE_ACQ_REL,
                                  TILE_DEVICE, after(stored), &counted);
    if (tile_to_int(before) == blocks - 1) {
        tile sum = tile_full(0, 1);
        for (int p = 0; p < blocks; p++) {
            tile at = tile_pointers(part, tile_full(p, 1));
            sum = sum + tile_load_ptr_tko(at, after(counted), &loaded);
        }
        tile_store_ptr_tko(tile_pointers(seen, tile_full(0, 1)), sum, after_none);
    }
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

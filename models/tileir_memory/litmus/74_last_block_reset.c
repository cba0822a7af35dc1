/* 74. As 70, and the last block resets the counter by a weak store after its own update. Race-free:
 * all other updates precede its own in the chain (D20), so they happen before it, and the store
 * follows its token (D16). The next launch of the stream comes after (D23). */
#include <tile.h>

tile_kernel void last_block_reset(int *part, int *count, int *seen, int blocks)
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
        tile_store_ptr_tko(tile_pointers(count, 0), 0, after(counted));
    }
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

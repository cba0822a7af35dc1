/* 73, on a grid of two axes, but the count expects only the blocks of one axis. Race on the parts
 * of the second row (A3). */
#include <tile.h>

tile_kernel void last_block_axis_missed(int *part, int *count, int *seen, int blocks)
{
    tile_grid(blocks, 2);
    tile_assume(0 < blocks && blocks <= 1 << 10);
    tile_extent(part, 2 * blocks);
    tile_extent(count, 1);
    tile_extent(seen, 1);
    tile_contents(count, 0, 0);

    int b = tile_bid(1) * blocks + tile_bid(0);
    token counted, loaded;
    token stored = tile_store_ptr_tko(tile_pointers(part, b), 1, after_none); // @store
    tile before = tile_atomic_tko(TILE_ADD, tile_pointers(count, 0), 1, true, TILE_ACQ_REL,
                                  TILE_DEVICE, after(stored), &counted);
    if (tile_to_int(before) == blocks - 1) {
        tile sum = tile_full(0, 1);
        for (int p = 0; p < 2 * blocks; p++) {
            tile at = tile_pointers(part, tile_full(p, 1));
            sum = sum + tile_load_ptr_tko(at, after(counted), &loaded); // @load
        }
        tile_store_ptr_tko(tile_pointers(seen, tile_full(0, 1)), sum, after_none);
    }
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 1,2 blocks 1
// LAUNCH grid 2,2 blocks 2

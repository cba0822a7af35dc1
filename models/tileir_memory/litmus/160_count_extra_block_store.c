/* 160. As 70, but a block stores its part once more after it has counted. Race with the last
 * block's load, which is ordered only with what came before the count (D18). */
#include <tile.h>

tile_kernel void count_extra_block_store(int *part, int *count, int *seen, int blocks)
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
    if (tile_to_int(before) == blocks - 1) {
        tile sum = tile_full(0, 1);
        for (int p = 0; p < blocks; p++) {
            tile at = tile_pointers(part, tile_full(p, 1));
            sum = sum + tile_load_ptr_tko(at, after(counted), &loaded); // @load
        }
        tile_store_ptr_tko(tile_pointers(seen, tile_full(0, 1)), sum, after_none);
    }
    if (b == 1)
        tile_store_ptr_tko(tile_pointers(part, b), 2, after(counted)); // @store
}

// EXPECT verdict race
// EXPECT TR003 @load @store
// EXPECT TR016 @load @store
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

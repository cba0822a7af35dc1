/* 75. As 70 with a reduction as the counter, which returns no value; each block then acquires the
 * count. Race on the parts: a reduction is relaxed, so it releases nothing, and the acquire reads a
 * count that no release wrote (D18, D20). */
#include <tile.h>

tile_kernel void last_block_red(int *part, int *count, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 20);
    tile_extent(part, blocks);
    tile_extent(count, 1);
    tile_extent(seen, blocks);
    tile_contents(count, 0, 0);

    tile_view N = tile_partition(tile_tensor(count, 1), 1);
    int b = tile_bid(0);
    token looked, loaded;
    token stored = tile_store_ptr_tko(tile_pointers(part, b), 1, after_none); // @store
    token counted = tile_red_tko(TILE_ADD, N, 1, TILE_RELAXED, TILE_DEVICE, after(stored), 0);
    tile seen_now = tile_load_tko_at(N, TILE_ACQUIRE, TILE_DEVICE, after(counted), &looked, 0);
    if (tile_to_int(seen_now) == blocks) {
        tile sum = tile_full(0, 1);
        for (int p = 0; p < blocks; p++) {
            tile at = tile_pointers(part, tile_full(p, 1));
            sum = sum + tile_load_ptr_tko(at, after(looked), &loaded); // @load
        }
        tile_store_ptr_tko(tile_pointers(seen, tile_full(b, 1)), sum, after_none);
    }
}

// EXPECT verdict race
// EXPECT TR002 @store @load
// EXPECT observable yes
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

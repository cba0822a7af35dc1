/* 205. As 161, but they set the counter to 2, from where the updates of two blocks reach the number
 * of four. Race (D20). */
#include <tile.h>

tile_kernel void count_set_above(int *part, int *count, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(3 < blocks && blocks <= 1 << 10);
    tile_extent(part, blocks);
    tile_extent(count, 1);
    tile_extent(seen, 1);
    tile_contents(count, 0, 0);

    int b = tile_bid(0);
    part[b] = 1; // @store
    int before = tile_atomic_add(tile_pointers(count, 0), 1, TILE_ACQ_REL, TILE_DEVICE);
    if (before == blocks - 1) {
        int sum = 0;
        for (int p = 0; p < blocks; p++)
            sum += part[p]; // @load
        seen[0] = sum;      // @seen
    }
    tile_store_ptr_at(tile_pointers(count, 0), 2, TILE_RELAXED, TILE_DEVICE);
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT TR001 @seen @seen possible
// EXPECT observable yes
// LAUNCH grid 4 blocks 4

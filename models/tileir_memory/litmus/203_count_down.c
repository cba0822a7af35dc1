/* 203. As 70, counting down from the number of blocks. Race-free: the block that reads 1 is the
 * last (D20). */
#include <tile.h>

tile_kernel void count_down(int *part, int *count, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(part, blocks);
    tile_extent(count, 1);
    tile_extent(seen, 1);
    tile_contents(count, blocks, blocks);

    int b = tile_bid(0);
    part[b] = 1;
    int before = tile_atomic_add(tile_pointers(count, 0), -1, TILE_ACQ_REL, TILE_DEVICE);
    if (before == 1) {
        int sum = 0;
        for (int p = 0; p < blocks; p++)
            sum += part[p];
        seen[0] = sum;
    }
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

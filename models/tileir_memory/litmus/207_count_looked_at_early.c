/* 207. As 206, waiting for all blocks but one. Race (A3). */
#include <tile.h>

tile_kernel void count_looked_at_early(int *part, int *count, int *seen, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(part, blocks);
    tile_extent(count, 1);
    tile_extent(seen, blocks);
    tile_contents(count, 0, 0);

    int b = tile_bid(0), next = b + 1 < blocks ? b + 1 : 0;
    part[b] = 1; // @store
    tile_atomic_add(tile_pointers(count, 0), 1, TILE_RELEASE, TILE_DEVICE);
    while (tile_to_int(tile_atomic_or(tile_pointers(count, 0), 0, TILE_ACQUIRE, TILE_DEVICE)) <
           blocks - 1)
        ;
    seen[b] = part[next]; // @load
}

// EXPECT verdict race
// EXPECT TR020 @store @load
// EXPECT observable yes
// LAUNCH grid 2 blocks 2

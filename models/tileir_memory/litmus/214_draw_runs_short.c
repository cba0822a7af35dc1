/* 214. As 213, but the numbers are two apart. Race (A3). */
#include <tile.h>

tile_kernel void draw_runs_short(int *x, int *next, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(x, 4l * blocks);
    tile_extent(next, 1);
    tile_contents(next, 0, 0);

    int first = tile_atomic_add(tile_pointers(next, 0), 2, TILE_RELAXED, TILE_DEVICE);
    tile_store_ptr(tile_pointers(x, first + tile_iota(4)), 1); // @store
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable no
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

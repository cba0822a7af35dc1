/* 213. Every block takes four tickets at once. Race-free: the numbers are four apart (A5). */
#include <tile.h>

tile_kernel void draw_runs(int *x, int *next, int blocks)
{
    tile_grid(blocks);
    tile_assume(1 < blocks && blocks <= 1 << 10);
    tile_extent(x, 4l * blocks);
    tile_extent(next, 1);
    tile_contents(next, 0, 0);

    int first = tile_atomic_add(tile_pointers(next, 0), 4, TILE_RELAXED, TILE_DEVICE);
    tile_store_ptr(tile_pointers(x, first + tile_iota(4)), 1);
}

// EXPECT verdict race-free
// LAUNCH grid 2 blocks 2
// LAUNCH grid 3 blocks 3

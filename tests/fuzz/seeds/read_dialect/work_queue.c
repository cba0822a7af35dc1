/* Scales a vector, its tiles handed out by a counter: every addition gives another number, so every
 * tile has one block. The host clears `next`. */
#include <tile.h>

enum { TILE = 256 };

tile_kernel void work_queue(const float *x, float *y, int *next, int tiles, int workers, float a)
{
    tile_grid(workers);
    tile_assume(0 < tiles && tiles <= 1 << 20 && 0 < workers && workers <= 1 << 16);
    tile_extent(x, (long)tiles * TILE);
    tile_extent(y, (long)tiles * TILE);
    tile_extent(next, 1);
    tile_contents(next, 0, 0);
    tile_distinct(x, y, next);

    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);

    for (;;) {
        int t = tile_atomic_add(tile_pointers(next, 0), 1, TILE_RELAXED, TILE_DEVICE);
        if (t >= tiles)
            break;
        tile_store(out, tile_load(in, t) * a, t); // @store
    }
}

// EXPECT verdict race-free

/* Smooths a vector several times in one launch. After each step every block counts itself and waits
 * for all others, so that it may read its neighbours' tiles of the step before. The host clears
 * `count`, and sees to it that all blocks run at once. */
#include <tile.h>

enum { TILE = 256 };

tile_kernel void smooth_steps(const float *x, float *work, int *count, int tiles, int steps)
{
    tile_grid(tiles);
    tile_assume(0 < tiles && tiles <= 1 << 7 && 0 < steps && steps <= 1 << 10);
    tile_extent(x, (long)tiles * TILE);
    tile_extent(work, (long)(steps + 1) * tiles * TILE);
    tile_extent(count, steps);
    tile_contents(count, 0, 0);
    tile_distinct(x, work, count);

    tile_view in = tile_partition(tile_tensor(x, tiles, TILE), 1, TILE);
    tile_view all = tile_partition(tile_tensor(work, steps + 1, tiles, TILE), 1, 1, TILE);
    int b = tile_bid(0), left = tile_max(b - 1, 0), right = tile_min(b + 1, tiles - 1);

    tile_store(all, tile_reshape(tile_load(in, b, 0), 1, 1, TILE), 0, b, 0); // @begin
    for (int s = 0; s < steps; s++) {
        tile done = tile_pointers(count, s);
        tile_atomic_add(done, 1, TILE_RELEASE, TILE_DEVICE);
        while (tile_to_int(tile_atomic_or(done, 0, TILE_ACQUIRE, TILE_DEVICE)) < tiles)
            ;
        tile sum = tile_load(all, s, left, 0) + tile_load(all, s, right, 0); // @read
        tile_store(all, sum * 0.5f, s + 1, b, 0);                            // @write
    }
}

// EXPECT verdict race-free

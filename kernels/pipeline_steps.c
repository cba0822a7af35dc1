/* A pipeline of two stages. Producer p writes the chunks of its row one by one and counts them in
 * `ready`; consumer p takes chunk s as soon as more than s are counted. The host clears `ready`. */
#include <tile.h>

enum { TILE = 128 };

tile_kernel void pipeline_steps(const float *in, float *work, int *ready, float *out, int rows,
                                int steps)
{
    tile_grid(rows, 2);
    tile_assume(0 < rows && rows <= 1 << 20 && 0 < steps && steps <= 1 << 20);
    tile_extent(in, (long)rows * steps * TILE);
    tile_extent(work, (long)rows * steps * TILE);
    tile_extent(out, (long)rows * steps * TILE);
    tile_extent(ready, rows);
    tile_contents(ready, 0, 0);
    tile_distinct(in, work, ready, out);

    tile_view src = tile_partition(tile_tensor(in, rows, steps * TILE), 1, TILE);
    tile_view shared = tile_partition(tile_tensor(work, rows, steps * TILE), 1, TILE);
    tile_view dst = tile_partition(tile_tensor(out, rows, steps * TILE), 1, TILE);

    int p = tile_bid(0);
    tile count = tile_pointers(ready, p);
    if (tile_bid(1) == 0) {
        for (int s = 0; s < steps; s++) {
            tile_store(shared, tile_load(src, p, s) * 2.0f, p, s); // @store
            tile_store_ptr_at(count, s + 1, TILE_RELEASE, TILE_DEVICE);
        }
    } else {
        for (int s = 0; s < steps; s++) {
            while (tile_to_int(tile_atomic_or(count, 0, TILE_ACQUIRE, TILE_DEVICE)) <= s)
                ;
            tile_store(dst, tile_load(shared, p, s) + 1.0f, p, s); // @load
        }
    }
}

// EXPECT verdict race-free

/* One block squares the tiles of a vector, another one adds to them, with room for four tiles
 * between the two. `full` and `empty` count tiles that were handed over and given back; the host
 * clears both. */
#include <tile.h>

enum { TILE = 256, SLOTS = 4 };

tile_kernel void ring_buffer(const float *x, float *y, float *ring, int *full, int *empty,
                             int tiles)
{
    tile_grid(2);
    tile_assume(0 < tiles && tiles <= 1 << 20);
    tile_extent(x, (long)tiles * TILE);
    tile_extent(y, (long)tiles * TILE);
    tile_extent(ring, SLOTS * TILE);
    tile_extent(full, 1);
    tile_extent(empty, 1);
    tile_contents(full, 0, 0);
    tile_contents(empty, 0, 0);
    tile_distinct(x, y, ring, full, empty);

    tile_view in = tile_partition(tile_tensor(x, tiles * TILE), TILE);
    tile_view out = tile_partition(tile_tensor(y, tiles * TILE), TILE);
    tile_view slots = tile_partition(tile_tensor(ring, SLOTS * TILE), TILE);
    tile filled = tile_pointers(full, 0), emptied = tile_pointers(empty, 0);

    if (tile_bid(0) == 0) {
        for (int t = 0; t < tiles; t++) {
            tile v = tile_load(in, t);
            while (tile_to_int(tile_atomic_or(emptied, 0, TILE_ACQUIRE, TILE_DEVICE)) <= t - SLOTS)
                ;
            tile_store(slots, v * v, t % SLOTS); // @fill
            tile_store_ptr_at(filled, t + 1, TILE_RELEASE, TILE_DEVICE);
        }
    } else {
        for (int t = 0; t < tiles; t++) {
            while (tile_to_int(tile_atomic_or(filled, 0, TILE_ACQUIRE, TILE_DEVICE)) <= t)
                ;
            tile v = tile_load(slots, t % SLOTS); // @take
            tile_store_ptr_at(emptied, t + 1, TILE_RELEASE, TILE_DEVICE);
            tile_store(out, v + 1.0f, t);
        }
    }
}

// EXPECT verdict race-free

/* Hands tiles from one half of the grid to the other. Block i squares tile i of `in` and raises its
 * flag; block tiles + i waits for that flag and takes the tile. The host clears `flag`.
 * The wait reads by an update that changes nothing: of a loop that waits by acquire loads tileiras
 * 13.5 makes one that each warp leaves by itself. */
#include <tile.h>

enum { TILE = 256 };

tile_kernel void message_passing(const float *in, float *work, int *flag, float *out, int tiles)
{
    tile_grid(2 * tiles);
    tile_assume(0 < tiles && tiles <= 1 << 20);
    tile_extent(in, (long)tiles * TILE);
    tile_extent(work, (long)tiles * TILE);
    tile_extent(out, (long)tiles * TILE);
    tile_extent(flag, tiles);
    tile_contents(flag, 0, 0);
    tile_distinct(in, work, flag, out);

    tile_view src = tile_partition(tile_tensor(in, tiles * TILE), TILE);
    tile_view shared = tile_partition(tile_tensor(work, tiles * TILE), TILE);
    tile_view dst = tile_partition(tile_tensor(out, tiles * TILE), TILE);

    int i = tile_bid(0);
    if (i < tiles) {
        tile x = tile_load(src, i);
        tile_store(shared, x * x, i);                                            // @store
        tile_store_ptr_at(tile_pointers(flag, i), 1, TILE_RELEASE, TILE_DEVICE); // @raise
    } else {
        i = i - tiles;
        tile raised = tile_pointers(flag, i);
        while (tile_to_int(tile_atomic_or(raised, 0, TILE_ACQUIRE, TILE_DEVICE)) == 0) // @wait
            ;
        tile x = tile_load(shared, i); // @load
        tile_store(dst, x + 1.0f, i);
    }
}

// EXPECT verdict race-free

/* Running sum of a vector in one launch. Block b waits for the sum up to its tile from block b-1
 * and hands on the sum up to the next. The host clears `flag`. */
#include <tile.h>

enum { TILE = 256 };

tile_kernel void scan_chained(const float *x, float *y, float *carry, int *flag, int n)
{
    tile_grid(tile_cdiv(n, TILE));
    tile_assume(0 < n && n <= 1 << 30);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_extent(carry, tile_cdiv(n, TILE));
    tile_extent(flag, tile_cdiv(n, TILE));
    tile_contents(flag, 0, 0);
    tile_distinct(x, y, carry, flag);

    tile_view in = tile_partition_padded(tile_tensor(x, n), TILE_PAD_ZERO, TILE);
    tile_view out = tile_partition(tile_tensor(y, n), TILE);

    int b = tile_bid(0);
    tile t = tile_load(in, b);
    float before = 0;
    if (b > 0) {
        tile raised = tile_pointers(flag, b - 1);
        while (tile_to_int(tile_atomic_or(raised, 0, TILE_ACQUIRE, TILE_DEVICE)) == 0)
            ;
        before = carry[b - 1]; // @load
    }
    carry[b] = before + tile_to_float(tile_reduce_sum(t, 0)); // @store
    tile_store_ptr_at(tile_pointers(flag, b), 1, TILE_RELEASE, TILE_DEVICE);
    tile_store(out, tile_scan_sum(t, 0) + before, b);
}

// EXPECT verdict race-free

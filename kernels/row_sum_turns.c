/* Sums of rows, each by blocks that add their shares in the order in which they come: who draws a
 * number waits until it is called (a ticket lock a row). The host clears `sums`, `next` and `now`.
 */
#include <tile.h>

enum { TILE = 256 };

tile_kernel void row_sum_turns(const float *x, float *sums, int *next, int *now, int rows, int n)
{
    tile_grid(tile_cdiv(n, TILE), rows);
    tile_assume(0 < n && n <= 1 << 20 && 0 < rows && rows <= 1 << 10);
    tile_extent(x, (long)rows * n);
    tile_extent(sums, rows);
    tile_extent(next, rows);
    tile_extent(now, rows);
    tile_contents(next, 0, 0);
    tile_contents(now, 0, 0);
    tile_distinct(x, sums, next, now);

    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_ZERO, 1, TILE);
    int r = tile_bid(1);
    tile t = tile_reshape(tile_load(in, r, tile_bid(0)), TILE);
    float share = tile_to_float(tile_reduce_sum(t, 0));

    int mine = tile_atomic_add(tile_pointers(next, r), 1, TILE_RELAXED, TILE_DEVICE);
    while (tile_to_int(tile_atomic_or(tile_pointers(now, r), 0, TILE_ACQUIRE, TILE_DEVICE)) != mine)
        ;
    sums[r] += share; // @add
    tile_store_ptr_at(tile_pointers(now, r), mine + 1, TILE_RELEASE, TILE_DEVICE);
}

// EXPECT verdict race-free

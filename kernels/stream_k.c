/* Sums of rows, the work cut into equal runs of steps with no regard to rows (stream-K). Who begins
 * a row writes it. Who comes in later leaves its share in `work` and raises its flag; the one who
 * began waits for all of these. The host clears `flag`. */
#include <tile.h>

enum { TILE = 128, STEPS = 24, RUN = 10 };

tile_kernel void stream_k(const float *x, float *sums, float *work, int *flag, int rows)
{
    tile_grid(tile_cdiv(rows * STEPS, RUN));
    tile_assume(0 < rows && rows <= 1 << 20);
    tile_extent(x, (long)rows * STEPS * TILE);
    tile_extent(sums, (long)rows * TILE);
    tile_extent(work, (long)tile_cdiv(rows * STEPS, RUN) * TILE);
    tile_extent(flag, tile_cdiv(rows * STEPS, RUN));
    tile_contents(flag, 0, 0);
    tile_distinct(x, sums, work, flag);

    tile_view in = tile_partition(tile_tensor(x, rows, STEPS * TILE), 1, TILE);
    tile_view out = tile_partition(tile_tensor(sums, rows, TILE), 1, TILE);
    tile_view shares = tile_partition(tile_tensor(work, tile_grid_extent(0), TILE), 1, TILE);

    int w = tile_bid(0), begin = w * RUN, end = tile_min(begin + RUN, rows * STEPS);
    int first = begin / STEPS * STEPS; /* of the row that the run begins in */
    if (begin > first) {
        tile acc = tile_zeros(float, 1, TILE);
        for (int k = begin; k < tile_min(end, first + STEPS); k++)
            acc = acc + tile_load(in, begin / STEPS, k - first);
        tile_store(shares, acc, w, 0); // @share
        tile_store_ptr_at(tile_pointers(flag, w), 1, TILE_RELEASE, TILE_DEVICE);
    }
    for (int r = tile_cdiv(begin, STEPS); r < tile_cdiv(end, STEPS); r++) {
        int row = r * STEPS, next = row + STEPS;
        tile acc = tile_zeros(float, 1, TILE);
        for (int k = row; k < tile_min(end, next); k++)
            acc = acc + tile_load(in, r, k - row);
        for (int v = w + 1; v < tile_cdiv(next, RUN); v++) {
            tile raised = tile_pointers(flag, v);
            while (tile_to_int(tile_atomic_or(raised, 0, TILE_ACQUIRE, TILE_DEVICE)) == 0)
                ;
            acc = acc + tile_load(shares, v, 0); // @take
        }
        tile_store(out, acc, r, 0);
    }
}

// EXPECT verdict race-free

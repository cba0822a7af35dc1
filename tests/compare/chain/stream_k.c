/* c = a b, all steps of all tiles cut into equal runs (stream-K). Who begins a tile writes it; who
 * comes in later leaves its share in `work` and raises its flag, for which the first waits. */
#include <tile.h>

enum { BM = 16, BN = 16, BK = 16, STEPS = 8, RUN = 3 };

tile_kernel void stream_k(const float *a, const float *b, float *c, float *work, int *flag, int M,
                          int N, int K)
{
    tile_grid(tile_cdiv(tile_cdiv(M, BM) * tile_cdiv(N, BN) * STEPS, RUN));
    tile_assume(0 < M && M <= 4096 && 0 < N && N <= 4096 && K == STEPS * BK);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);
    tile_extent(work, tile_grid_extent(0) * (BM * BN));
    tile_extent(flag, tile_grid_extent(0));
    tile_contents(flag, 0, 0);
    tile_distinct(a, b, c, work, flag);

    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);
    tile_view shares = tile_partition(tile_tensor(work, tile_grid_extent(0), BM, BN), 1, BM, BN);

    int n_tiles = tile_cdiv(N, BN), steps = tile_cdiv(M, BM) * n_tiles * STEPS;
    int w = tile_bid(0), begin = w * RUN, end = tile_min(begin + RUN, steps);
    int first = begin / STEPS * STEPS, t = begin / STEPS;
    if (begin > first) {
        tile acc = tile_zeros(float, BM, BN);
        for (int k = begin; k < tile_min(end, first + STEPS); k++)
            acc = tile_mma(tile_load(in_a, t / n_tiles, k - first),
                           tile_load(in_b, k - first, t % n_tiles), acc);
        tile_store(shares, tile_expand(acc, 0), w, 0, 0);
        tile_store_ptr_at(tile_pointers(flag, w), 1, TILE_RELEASE, TILE_DEVICE);
    }
    for (int r = tile_cdiv(begin, STEPS); r < tile_cdiv(end, STEPS); r++) {
        int row = r * STEPS, next = row + STEPS;
        tile acc = tile_zeros(float, BM, BN);
        for (int k = row; k < tile_min(end, next); k++)
            acc = tile_mma(tile_load(in_a, r / n_tiles, k - row),
                           tile_load(in_b, k - row, r % n_tiles), acc);
        for (int v = w + 1; v < tile_cdiv(next, RUN); v++) {
            while (tile_to_int(
                       tile_atomic_or(tile_pointers(flag, v), 0, TILE_ACQUIRE, TILE_DEVICE)) == 0)
                ;
            acc = acc + tile_reshape(tile_load(shares, v, 0, 0), BM, BN);
        }
        tile_store(out, acc, r / n_tiles, r % n_tiles);
    }
}

/* c[i] = a[i] * b[i] for every matrix of a batch. The batch is a dimension of its own in the
 * tensors and an axis of its own in the grid, so one extent of 1 in the tiles is all it takes. */
#include <tile.h>

enum { BM = 128, BN = 128, BK = 32 };

tile_kernel void batched_matmul(const f16 *a, const f16 *b, float *c, int batch, int M, int N,
                                int K)
{
    tile_grid(tile_cdiv(M, BM), tile_cdiv(N, BN), batch);
    tile_assume(0 < batch && batch < 1 << 16);
    tile_assume(0 < M && M <= 1 << 20 && 0 < N && N <= 1 << 20 && 0 < K && K <= 1 << 20);
    tile_extent(a, (long)batch * M * K);
    tile_extent(b, (long)batch * K * N);
    tile_extent(c, (long)batch * M * N);

    tile_view in_a = tile_partition_padded(tile_tensor(a, batch, M, K), TILE_PAD_ZERO, 1, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, batch, K, N), TILE_PAD_ZERO, 1, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, batch, M, N), 1, BM, BN);

    int m = tile_bid(0);
    int n = tile_bid(1);
    int i = tile_bid(2);
    int k_tiles = tile_tiles(in_a, 2);

    tile acc = tile_zeros(float, 1, BM, BN);
    for (int k = 0; k < k_tiles; k++) {
        tile x = tile_load(in_a, i, m, k);
        tile y = tile_load(in_b, i, k, n);
        acc = tile_mma(x, y, acc);
    }
    tile_store(out, acc, i, m, n);
}

// EXPECT verdict race-free
